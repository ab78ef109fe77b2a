#pragma once

#include <string_view>

#include "harness/diff_vertices.hpp"

namespace lockline::harness {

/// What became of a vertex after matching, from least to most. Compared are its six s16 components in every
/// frame, each against its allowance().
enum class VertexChange : std::uint8_t {
  none,     ///< the same bytes in every frame
  rounded,  ///< never by its allowance or more
  turned,   ///< only its normal, by that much
  moved,    ///< its position, by that much
};

std::string_view name(VertexChange change);

/// How many steps a component may not reach before the vertex counts as changed; 0: it must be the same.
/// Every pass truncates toward zero and so loses less than a step. Where bind pose, weights and shift are the
/// same, and only the layout writes the vertex by other passes, n of the donor and m of the patched model may
/// differ by less than n + m steps without anybody having moved it.
std::uint32_t allowance(const DiffVertex& donor, const DiffVertex& patched, bool same_shift);

/// What one frame shows of a vertex.
struct VertexDifference {
  VertexChange change = VertexChange::none;
  double steps = 0;  ///< distance of the two positions, raw steps of the patched model
};

/// Compares two records of 12 bytes. `scale`: raw steps of the patched model per step of the donor.
VertexDifference difference(const std::uint8_t* donor, const std::uint8_t* patched, double scale,
                            std::uint32_t allowance);

}  // namespace lockline::harness
