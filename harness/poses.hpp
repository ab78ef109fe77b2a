#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emu/facial.hpp"
#include "emu/player.hpp"
#include "formats/anm.hpp"
#include "formats/block.hpp"
#include "formats/palette.hpp"
#include "harness/face_script.hpp"

namespace lockline::harness {

/// One pose of a run: a matrix per bone and, for models that have them, facial poses.
struct Pose {
  std::string name;  ///< "rest", "random 3", "palette 12", "swing 12"
  std::vector<Matrix> matrices;
  emu::FacialPoses faces;
  bool invented = false;  ///< random: no animation of the game's
};

/// A sequence of a bank, played from its start.
struct AnimationSource {
  std::shared_ptr<const Anm> bank;
  std::uint32_t sequence = 0;
  float speed = 1;  ///< key time per frame, above 0
};

/// The most frames of a palette or an animation that are run, and the most matrices they may have together:
/// beyond either it is a mistake (a damaged length) rather than a wish.
inline constexpr std::uint32_t max_pose_frames = 100'000, max_pose_matrices = 1U << 25;

/// Where the poses of a run come from: an animation's frames or a palette's when there is one, else the rest
/// pose and `random_poses` seeded random ones.
struct PoseSource {
  std::optional<AnimationSource> animation;
  std::optional<Palette> palette;
  /// Of the animation or the palette, 1..max_pose_frames; past its end a palette starts again, a track wraps
  /// by itself. None: the whole palette; the animation until its longest track has gone round once.
  std::optional<std::uint32_t> frames;
  std::uint32_t random_poses = 8;
  std::uint64_t seed = 1;
  /// None: facial pose 0; in random poses a pose per number.
  std::optional<FaceScript> faces;
};

/// The poses a source has for a model, made one at a time. Refers to the source and the block, which must
/// outlive it.
class PoseStream {
 public:
  /// Errors: missing for an animation of a model without bones; bad_value for a face script that the model's
  /// facial objects do not fit and for an animation's sequence or speed that cannot be; too_large over the
  /// limits above.
  static Expected<PoseStream> open(const PoseSource& source, const Block& block);

  /// At least 1.
  std::uint32_t size() const { return size_; }

  /// Frames that a check gives each pose: 2, the second of which shows what drifts; 1 for an animation's.
  std::uint32_t frames_per_pose() const { return player_ ? 1 : 2; }

  /// Pose `number` < size(), until the next call. In ascending order each costs its own frame alone.
  const Pose& pose(std::uint32_t number);

 private:
  PoseStream(const PoseSource& source, const Block& block) : source_(&source), block_(&block) {}

  Expected<void> open_animation();
  Expected<void> limit(std::uint64_t frames);
  void play_to(std::uint32_t number);

  const PoseSource* source_;
  const Block* block_;
  std::optional<emu::Player> player_;
  std::uint32_t size_ = 0;
  std::uint32_t played_ = 0;  ///< frame that the player stands at
  std::string sequence_;      ///< its name, printable
  Pose pose_;
};

/// The poses of a source, all made: for those who go through them more than once.
struct PoseList {
  std::vector<Pose> poses;  ///< at least 1
  std::uint32_t frames_per_pose = 2;
};

/// Errors as PoseStream::open.
Expected<PoseList> poses_of(const PoseSource& source, const Block& block);

/// The number of the sequence with that name, or of that number. Errors: missing, with what there is.
Expected<std::uint32_t> find_sequence(const Anm& bank, std::string_view wanted);

/// Frames until the longest track of a sequence has gone round once, at least 1; 0 for one that never does.
std::uint64_t frames_once_round(const AnmSequence& sequence, float speed);

/// Bones a palette needs: the ACT's bone count; without an ACT one more than the highest bone the skin names.
std::uint32_t bone_count(const Block& block);

/// Every bone's skin matrix is the identity: the bind pose. Facial pose 0.
Pose rest_pose(const Block& block);

/// Each bone turned by up to 45 degrees about a random axis and moved by up to a sixteenth of the model's
/// size, all from `seed` and `number` alone. Facial pose `number` modulo the object's poses.
Pose random_pose(const Block& block, std::uint64_t seed, std::uint32_t number);

}  // namespace lockline::harness
