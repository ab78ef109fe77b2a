#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/facial.hpp"
#include "formats/block.hpp"
#include "formats/palette.hpp"

namespace lockline::harness {

/// One pose of a run: a matrix per bone and, for models that have them, facial poses.
struct Pose {
  std::string name;  ///< "rest", "random 3", "palette 12"
  std::vector<Matrix> matrices;
  emu::FacialPoses faces;
  bool invented = false;  ///< random: no animation of the game's
};

/// Where the poses of a run come from: a palette's frames when there is one, else the rest pose and
/// `random_poses` seeded random ones.
struct PoseSource {
  std::optional<Palette> palette;
  std::uint32_t random_poses = 8;
  std::uint64_t seed = 1;
};

/// The poses a source has for a model, in the order they are run; at least one.
std::vector<Pose> poses_of(const PoseSource& source, const Block& block);

/// Bones a palette needs: the ACT's bone count; without an ACT one more than the highest bone the skin names.
std::uint32_t bone_count(const Block& block);

/// Every bone's skin matrix is the identity: the bind pose. Facial pose 0.
Pose rest_pose(const Block& block);

/// Each bone turned by up to 45 degrees about a random axis and moved by up to a sixteenth of the model's
/// size, all from `seed` and `number` alone. Facial pose `number` modulo the object's poses.
Pose random_pose(const Block& block, std::uint64_t seed, std::uint32_t number);

}  // namespace lockline::harness
