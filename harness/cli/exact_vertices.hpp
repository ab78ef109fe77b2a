#pragma once

#include <span>

#include "corpus/read_weights.hpp"
#include "harness/exact.hpp"

namespace lockline::cli {

/// What read_weights found, for compare_exact; vertex i in slots[i].
inline std::vector<harness::ExactVertex> exact_vertices(std::span<const corpus::SlotVertex> vertices,
                                                        std::span<const std::uint32_t> slots) {
  std::vector<harness::ExactVertex> out;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    out.push_back({slots[i], vertices[i].vertex.bind, {}});
    for (const corpus::BoneWeight w : vertices[i].vertex.weights)
      out.back().weights.emplace_back(w.bone, w.weight);
  }
  return out;
}

}  // namespace lockline::cli
