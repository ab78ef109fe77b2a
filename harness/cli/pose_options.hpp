#pragma once

#include <string>

#include "harness/cli/session.hpp"
#include "harness/poses.hpp"

namespace lockline::cli {

/// The pose options of a command as typed: which files to read, and the rest of the source.
struct PoseArguments {
  std::string palette, animation, sequence, faces;
  float speed = harness::AnimationSource{}.speed;
  std::uint32_t frames = 0;  ///< 0: as many as there are
  harness::PoseSource source;
};

/// --anim, --sequence, --speed, --frames.
void add_animation_options(CLI::App& command, PoseArguments& a);
/// Those, --palette and --face.
void add_pose_options(CLI::App& command, PoseArguments& a);
/// --poses and --seed, for a command that also has add_pose_options().
void add_random_pose_options(CLI::App& command, PoseArguments& a);

/// Reads the files into `a.source`; false when one is unusable, which the session then knows.
bool read_poses(PoseArguments& a, Session& session);

/// A bank with problems is refused: what the game would play from it is not known.
Expected<Anm> parse_sound_anm(Bytes bytes);

}  // namespace lockline::cli
