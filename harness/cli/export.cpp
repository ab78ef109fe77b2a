#include <fmt/format.h>

#include <memory>

#include "harness/cli/model_source.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/pose_options.hpp"
#include "harness/cli/session.hpp"
#include "harness/gltf.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string file, out;
  PoseArguments poses;
  harness::FramesAs as = harness::FramesAs::morphs;
  emu::MachineOptions machine;
};

void say(const harness::GltfExport& gltf, const std::string& file, Session& session) {
  fmt::print(stderr, "lockline: {}: {} frames of {} vertices and {} triangles, {} frames a second\n", file,
             gltf.frames, gltf.vertices, gltf.triangles, harness::gltf_frame_rate);
  if (gltf.outside != 0) {
    fmt::print(stderr, "lockline: {}: {} indices lead outside their arrays and are left out\n", file,
               gltf.outside);
  }
  for (const emu::Fault& fault : gltf.last.faults) {
    fmt::print(stderr, "lockline: {}: the game stops in frame {}, in {}[{}]: {}\n", file, gltf.frames - 1,
               emu::name(fault.step), fault.entry, fault.dolphin_line());
  }
  if (!gltf.last.faults.empty()) session.raise(exit_findings);
}

/// One more than can be exported is enough to be told so.
std::vector<harness::Pose> poses_of(harness::PoseStream& stream) {
  std::vector<harness::Pose> out;
  const auto count = std::min<std::uint32_t>(stream.size(), harness::max_gltf_frames + 1);
  for (std::uint32_t f = 0; f < count; ++f) out.push_back(stream.pose(f));
  return out;
}

void run(Arguments& a, Session& session) {
  if (!read_poses(a.poses, session)) return;
  const auto bytes = session.take(a.file, read_model_bytes(a.file));
  if (!bytes) return;
  const auto block = session.take(a.file, parse_block(*bytes));
  if (!block) return;
  auto machine = session.take(a.file, emu::Machine::load(*bytes, *block, a.machine));
  if (!machine) return;
  auto stream = session.take(a.file, harness::PoseStream::open(a.poses.source, *block));
  if (!stream) return;
  const auto gltf = session.take(a.file, harness::export_gltf(*block, *machine, poses_of(*stream), a.as));
  if (gltf &&
      session.check(a.out, write_file(a.out, gltf->bytes, {a.file, a.poses.palette, a.poses.animation})))
    say(*gltf, a.file, session);
}

}  // namespace

void add_export(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("export", "Write emulated frames as glTF, to look at in Blender");
  command->add_option("file", a->file, "Model block")->required()->type_name("FILE");
  command->add_option("-o,--out", a->out, "The binary glTF file to write")->required()->type_name("FILE.glb");
  command
      ->add_option_function<std::string>(
          "--frames-as",
          [a](const std::string& as) {
            a->as = as == "meshes" ? harness::FramesAs::meshes : harness::FramesAs::morphs;
          },
          "Frames as shape keys of one model, or as a model each: these show overwritten lists, colours and "
          "texture coordinates too")
      ->check(CLI::IsMember({"morphs", "meshes"}))
      ->type_name("NAME")
      ->default_str("morphs");
  add_pose_options(*command, a->poses);
  add_random_pose_options(*command, a->poses);
  add_machine_options(*command, a->machine);
  command->footer(fmt::format(
      "Positions and normals are the predicted ones, damage included. At most {} frames and {} MB; no "
      "textures.\nA frame in which the game stops is the last one, and the exit code is 1.\n\n"
      "Example:\n  lockline export luigi.block --palette swing.palette -o swing.glb\n",
      harness::max_gltf_frames, harness::max_gltf_bytes >> 20));
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
