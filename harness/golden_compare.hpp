#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/golden_run.hpp"

namespace lockline::harness {

/// Two runs compared by their hashes: a frame both have that differs.
struct FrameMismatch {
  std::uint32_t frame = 0;
  bool positions = false, gpl = false, rest = false;
};

/// The first frame that differs; with `positions_only` the first whose positions do.
std::optional<FrameMismatch> first_mismatch(const GoldenFrames& recorded, const GoldenFrames& now,
                                            bool positions_only = false);

/// "positions and the rest", as far as they differ.
std::string parts_text(const FrameMismatch& mismatch);

/// What differs besides frames, in sentences: how many there are, and the fault. Empty when nothing does.
std::vector<std::string> ending_differences(const GoldenFrames& recorded, const GoldenFrames& now);

/// A block's bytes after a frame, and the model they are of.
struct FrameImage {
  Bytes model;
  Bytes image;
};

/// Where two images of a frame differ first: in the positions when they do there, else in file order. Slot,
/// byte, structure, component and values in a sentence; the two may be of different models (then positions
/// are compared slot by slot, if both have them). "" when nothing differs.
struct ByteDifference {
  std::string text;
  std::uint32_t at = 0;  ///< block offset in the newer image
  std::uint32_t bytes = 1;
};
std::optional<ByteDifference> first_difference(const FrameImage& recorded, const FrameImage& now);

/// Who wrote the difference in the machine's last frame: "written by SK1[3] write-back".
std::string author_text(const emu::Machine& machine, const ByteDifference& difference);

}  // namespace lockline::harness
