#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emu/animation.hpp"
#include "emu/bones.hpp"

namespace lockline::emu {

/// A sequence played on a model's bones. A bone moves by the first track of the sequence whose id is the
/// bone's in bone_tracks(); a bone without one keeps its orientation control.
class Player {
 public:
  Player(const Act& act, const AnmSequence& sequence);

  std::size_t bones() const { return skeleton_.bones(); }

  /// Every track's key time to 0, as after construction.
  void restart();
  /// Every track's key time one frame on, each wrapping at its own length. `speed`: key time per frame.
  void advance(float speed);
  /// The skin matrices at the present key times. `skin` has bones() elements.
  void skin_matrices(std::span<Matrix> skin);

 private:
  struct Track {
    TrackMotion motion;
    std::vector<std::uint32_t> bones;  ///< that it moves
    float time = 0;
  };

  Skeleton skeleton_;
  std::vector<Track> tracks_;
  std::vector<BoneControl> controls_;  ///< by bone
};

}  // namespace lockline::emu
