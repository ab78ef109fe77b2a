#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/model_source.hpp"
#include "harness/cli/palette_ram.hpp"
#include "harness/cli/pose_options.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string file, out;
  PoseArguments poses;
  RamArguments ram;
};

constexpr std::size_t palette_header_bytes = 8;

/// All matrices of a stream, as far as a palette file may go.
Expected<Palette> palette_of(harness::PoseStream& poses) {
  Palette palette{.frames = poses.size(),
                  .bones = static_cast<std::uint32_t>(poses.pose(0).matrices.size()),
                  .matrices = {}};
  const std::size_t count = std::size_t{palette.frames} * palette.bones;
  if (count > (max_input_bytes - palette_header_bytes) / sizeof(Matrix)) {
    return tl::unexpected(
        Error{ErrorCode::too_large, 0, "palette",
              fmt::format("{} frames of {} bones are more than the {} bytes a palette may have",
                          palette.frames, palette.bones, max_input_bytes)});
  }
  palette.matrices.reserve(count);
  for (std::uint32_t f = 0; f < palette.frames; ++f) {
    const auto& matrices = poses.pose(f).matrices;
    palette.matrices.insert(palette.matrices.end(), matrices.begin(), matrices.end());
  }
  return palette;
}

std::optional<Palette> palette_from_animation(Arguments& a, Session& session) {
  const auto bytes = session.take(a.file, read_model_bytes(a.file));
  if (!bytes) return std::nullopt;
  const auto block = session.take(a.file, parse_block(*bytes));
  if (!block || !read_poses(a.poses, session)) return std::nullopt;
  auto poses = session.take(a.file, harness::PoseStream::open(a.poses.source, *block));
  return poses ? session.take(a.file, palette_of(*poses)) : std::nullopt;
}

void run(Arguments& a, Session& session) {
  if (a.ram.dump.empty() == a.poses.animation.empty())
    return session.fail("palette", "needs either --anim or --ram");
  const auto palette =
      a.ram.dump.empty() ? palette_from_animation(a, session) : palette_from_ram(a.file, a.ram, session);
  if (!palette) return;
  if (session.check(a.out, write_file(a.out, serialize(*palette), {a.file, a.poses.animation, a.ram.dump})))
    session.output.print(fmt::format("{}: {} frames of {} bones\n", a.out, palette->frames, palette->bones));
}

}  // namespace

void add_palette(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("palette", "Write the bone matrices of an animation, or those the game used");
  command->add_option("file", a->file, "Model block, for its bones")->required()->type_name("FILE");
  add_animation_options(*command, a->poses);
  add_ram_options(*command, a->ram);
  command->add_option("-o,--out", a->out, "Where the palette goes; 'run' and 'check' read it with --palette")
      ->required()
      ->type_name("FILE");
  command->footer(
      "From a memory dump: the entries' own matrix fields hold what the last frame used; bones that no "
      "entry\n"
      "uses get the identity. Exit code 1 when entries of one bone disagree.\n\n"
      "Examples:\n"
      "  lockline palette luigi.block --anim luigi.anm --sequence swing -o swing.palette\n"
      "  lockline palette luigi.block --ram mem1.raw -o luigi.palette\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
