#pragma once

#include <span>
#include <vector>

#include "harness/check.hpp"

namespace lockline::harness {

/// A vertex as a skin means it: where it is in the bind pose and what moves it.
struct ExactVertex {
  std::uint32_t slot = 0;
  SkinVertex bind{};
  std::vector<std::pair<std::uint16_t, std::uint16_t>> weights;  ///< bone, 256ths; none: it stays as it is
};

/// How far emulated vertices are from their exact places, in raw steps of the positions.
struct ExactResult {
  std::uint32_t frames = 0;
  std::uint64_t components = 0;  ///< compared
  double largest = 0;            ///< distance along one axis
  double allowed = 0;            ///< what the layout explains of it: see `beyond`
  std::uint32_t largest_slot = 0, largest_frame = 0;
  /// Components off by more than the layout explains: a step for each pass that writes the vertex (every
  /// store truncates), and exact_tolerance for the arithmetic in single precision.
  std::uint64_t beyond = 0;
  std::uint32_t first_slot = 0, first_frame = 0;  ///< of `beyond`
  std::uint64_t clamped = 0;                      ///< components that leave s16 at some pass: not compared
  bool stopped = false;                           ///< a frame faulted: nothing is proved
};

/// In raw steps. Single precision keeps 24 bits of sums below 2^17 or so (assumption: bone matrices near
/// rotations).
inline constexpr double exact_tolerance = 0.25;

/// Runs the poses (faces at rest) and compares every vertex with its weighted skinning in double. Errors:
/// those of Machine::load and PoseStream::open; bad_value for a vertex whose slot or bone the block does not
/// have.
Expected<ExactResult> compare_exact(const Subject& subject, std::span<const ExactVertex> vertices,
                                    const CheckOptions& options);

}  // namespace lockline::harness
