#pragma once

#include <optional>

#include "harness/intent.hpp"
#include "harness/rule.hpp"

namespace lockline::harness {

/// The position buffer as far as anything writes it, inside the block: [begin, end) in block offsets.
struct PositionRegion {
  std::uint32_t begin = 0, stored_end = 0, end = 0;
};
PositionRegion position_region(const Subject& subject);

/// Where an SK1, SK2 or SKAcc entry's structure lies, in block offsets; nullopt when there is none of that
/// number.
struct EntryExtent {
  std::uint32_t begin = 0, end = 0;
};
std::optional<EntryExtent> entry_extent(const Block& block, emu::Step step, std::uint32_t entry);

/// A part of a write that lands where no skinning belongs, in block offsets.
struct Stray {
  emu::Author author;
  std::uint32_t begin = 0, end = 0;
};

/// Everything the machine's last frame wrote inside the block outside the position data, its entries' matrix
/// fields and facial targets, in order.
std::vector<Stray> strays(const Subject& subject, const emu::Machine& machine, const PositionRegion& region);

/// Written vertices with a component at an end of s16, entry by entry.
struct Extremes {
  std::vector<WrongVertices> saturated;
  std::vector<WrongVertices> nan;  ///< those whose own transform is no number
};
Extremes extremes(const Subject& subject, emu::Machine& machine, const Pose& pose);

/// One emulated frame, as the run.* rules see it.
struct Observation {
  const Subject& subject;
  emu::Machine& machine;  ///< after the frame
  const emu::FrameResult& result;
  Bytes loaded;  ///< the block as the loader left it, before the first frame
  const Pose& pose;
  const PositionRegion& region;
  bool first = false;  ///< frame 0
  std::vector<Stray> strays;
  std::vector<WrongVertices> wrong;  ///< empty after a fault
  Extremes extremes;                 ///< empty after a fault
  /// The position buffer after the previous frame, when that frame had the same pose and faces; else empty.
  Bytes previous_positions;
};

}  // namespace lockline::harness
