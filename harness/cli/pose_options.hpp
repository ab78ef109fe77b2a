#pragma once

#include <string>

#include "harness/cli/session.hpp"
#include "harness/poses.hpp"

namespace lockline::cli {

/// The pose options of a command as typed: which files to read, and the rest of the source.
struct PoseArguments {
  std::string palette;
  harness::PoseSource source;
};

/// --palette, or --poses and --seed.
void add_pose_options(CLI::App& command, PoseArguments& a);

/// Reads the files into `a.source`; false when one is unusable, which the session then knows.
bool read_poses(PoseArguments& a, Session& session);

}  // namespace lockline::cli
