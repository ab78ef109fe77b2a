#include <fmt/format.h>

#include <memory>

#include "emu/machine.hpp"
#include "harness/cli/model_source.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/pose_options.hpp"
#include "harness/cli/session.hpp"
#include "harness/frame_hash.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string file, images;
  PoseArguments poses;
  bool hash = false;
  emu::MachineOptions machine;
};

void print_faults(const emu::FrameResult& result, std::uint32_t frame, Session& session) {
  for (const emu::Fault& fault : result.faults) {
    session.output.print(fmt::format("frame {}  fault in {}[{}] after {} vertices: {}\n", frame,
                                     emu::name(fault.step), fault.entry, fault.stored, fault.dolphin_line()));
  }
  if (!result.faults.empty()) session.raise(exit_findings);
}

/// Runs every frame, or up to the one that stops. False when the images could not be written.
bool run_frames(emu::Machine& machine, const Block& block, harness::PoseStream& poses, const Arguments& a,
                std::optional<OutputFile>& images, Session& session) {
  // A palette alone says nothing of faces: their targets stay as they are.
  const bool faces = a.poses.source.animation || a.poses.source.faces;
  for (std::uint32_t f = 0; f < poses.size(); ++f) {
    const harness::Pose& pose = poses.pose(f);
    const emu::FrameResult result = machine.frame(pose.matrices, faces ? &pose.faces : nullptr);
    print_faults(result, f, session);
    if (result.stopped) return true;
    if (images && !session.check(a.images, images->write(machine.block()))) return false;
    if (!a.hash) continue;
    const harness::Piece positions = harness::stored_positions(block);
    const Bytes image = machine.block();
    session.output.print(fmt::format("frame {}  positions {:016x}  rest {:016x}\n", f,
                                     harness::hash_bytes(image.subspan(positions.begin, positions.size())),
                                     harness::hash_around(image, positions)));
  }
  return true;
}

void run(Arguments& a, Session& session) {
  if (a.poses.palette.empty() && a.poses.animation.empty()) throw CLI::RequiredError("--palette or --anim");
  const auto bytes = session.take(a.file, read_model_bytes(a.file));
  if (!bytes) return;
  const auto block = session.take(a.file, parse_block(*bytes));
  if (!block || !read_poses(a.poses, session)) return;
  auto poses = session.take(a.file, harness::PoseStream::open(a.poses.source, *block));
  if (!poses) return;
  auto machine = session.take(a.file, emu::Machine::load(*bytes, *block, a.machine));
  if (!machine) return;
  std::optional<OutputFile> images;
  const auto create = [&] {
    return OutputFile::create(a.images, {a.file, a.poses.palette, a.poses.animation});
  };
  if (!a.images.empty() && !(images = session.take(a.images, create()))) return;
  if (run_frames(*machine, *block, *poses, a, images, session) && images)
    session.check(a.images, images->close());
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("run", "Emulate the skinning frame by frame");
  command->add_option("file", a->file, "Model block")->required()->type_name("FILE");
  add_pose_options(*command, a->poses);
  command->add_option("--images", a->images, "Write the block's bytes after each frame, one after another")
      ->type_name("FILE");
  command->add_flag("--hash", a->hash, "Print an XXH3 of the positions and of everything else per frame");
  command
      ->add_option("--keep-going", a->machine.max_faults,
                   "Stop a frame at its Nth fault; a read gives 0 until then")
      ->check(CLI::Range(1U, emu::max_fault_limit))
      ->type_name("N")
      ->default_str("1");
  add_machine_options(*command, a->machine);
  command->footer(
      "A palette without --face leaves facial vertices as they are; with an animation unnamed objects are at "
      "rest.\nA fault prints the line that Dolphin prints and ends with exit code 1.\n\n"
      "Examples:\n  lockline run luigi.block --anim luigi.anm --sequence swing --face '*=blink' --hash\n"
      "  lockline run luigi.block --palette swing.palette --profile dolphin-5 --images out.frames "
      "--hash\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
