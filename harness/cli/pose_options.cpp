#include "harness/cli/pose_options.hpp"

#include <CLI/CLI.hpp>

namespace lockline::cli {

void add_pose_options(CLI::App& command, PoseArguments& a) {
  auto* palette =
      command.add_option("--palette", a.palette, "Bone matrices to run instead of invented poses")
          ->type_name("FILE");
  command.add_option("--poses", a.source.random_poses, "Random poses to run after the rest pose")
      ->check(CLI::Range(0U, 100'000U))
      ->type_name("N")
      ->default_str("8")
      ->excludes(palette);
  command.add_option("--seed", a.source.seed, "What the random poses come from")
      ->type_name("N")
      ->default_str("1")
      ->excludes(palette);
}

bool read_poses(PoseArguments& a, Session& session) {
  if (a.palette.empty()) return true;
  const auto bytes = session.take(a.palette, read_file(a.palette, max_input_bytes));
  if (bytes) a.source.palette = session.take(a.palette, parse_palette(*bytes));
  return a.source.palette.has_value();
}

}  // namespace lockline::cli
