#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/diff_vertices.hpp"

namespace lockline::harness {

/// How two vertices were found to be the same, from surest to least sure.
enum class MatchedBy : std::uint8_t {
  slot,           ///< the layout is the same
  bind_weights,   ///< same bind position and normal, same weights
  bind_bones,     ///< same bind position and normal, other weights on the same bones
  bind,           ///< same bind position and normal, other bones
  near_weights,   ///< bind positions within `near_steps`, same weights
  near_position,  ///< bind positions within `near_steps`, other weights
};

/// Bind positions count as near when no component differs by more steps (of the coarser model, should the
/// shifts differ). Re-quantization of a model that passed through floats moves components by 1 to 3. Source:
/// seeds/skinning-data-section, "Vertex data quantization round-trip".
inline constexpr std::int32_t near_steps = 3;

/// Indices into the two vertex lists.
struct VertexMatch {
  std::uint32_t donor = 0, patched = 0;
  MatchedBy by = MatchedBy::slot;
};

struct VertexMatches {
  bool by_slot = false;                ///< true: every match is MatchedBy::slot
  std::vector<VertexMatch> pairs;      ///< ascending by `patched`; no vertex of either side in two of them
  std::vector<std::uint32_t> removed;  ///< the donor's that are left over, ascending
  std::vector<std::uint32_t> added;    ///< the patched model's, ascending
};

/// A model's vertices and the shift of their position array.
struct VertexList {
  std::span<const DiffVertex> vertices;
  std::uint8_t shift = 0;
};

/// Pairs the vertices of two models one to one. By slot when both use the same slots and the same bones move
/// each of them. Else by bind pose and weights, stage after stage in MatchedBy's order, each on what the
/// stages before left over. Vertices that a stage cannot tell apart (seams) are paired in the order of their
/// slots, drawn ones first. n log n.
VertexMatches match_vertices(const VertexList& donor, const VertexList& patched);

}  // namespace lockline::harness
