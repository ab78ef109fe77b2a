#pragma once

#include "harness/intent.hpp"
#include "harness/rule.hpp"

namespace lockline::harness {

/// One emulated frame, as the run.* rules see it.
struct Observation {
  const Subject& subject;
  emu::Machine& machine;  ///< after the frame
  const emu::FrameResult& result;
  Bytes loaded;  ///< the block as the loader left it, before the first frame
  const Pose& pose;
  const std::vector<WrongVertices>& wrong;  ///< empty after a fault
  /// The position buffer after the previous frame, when that frame had the same pose and faces; else empty.
  Bytes previous_positions;
};

/// The position buffer as far as anything writes it, inside the block: [data_at, end) in block offsets.
struct PositionRegion {
  std::uint32_t begin = 0, stored_end = 0, end = 0;
};
PositionRegion position_region(const Subject& subject);

}  // namespace lockline::harness
