#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/subject.hpp"

namespace lockline::harness {

/// A bone's part of a vertex in 256ths. An SK1 write counts 256.
struct VertexWeight {
  std::uint16_t bone = 0;
  std::uint32_t weight = 0;

  auto operator<=>(const VertexWeight&) const = default;
};

/// A slot of the skinned submesh that an entry writes or a primitive draws.
struct DiffVertex {
  std::uint32_t slot = 0;
  /// Its bind pose: the record that the file's entries read (SK1/SK2, else the first SKAcc one); the position
  /// array's where nothing writes the slot or the source cannot be read.
  SkinVertex bind{};
  /// What moves it in all: ascending by bone, each bone once, none of weight 0. Empty: nothing writes it.
  std::vector<VertexWeight> weights;
  /// How: one element per bone of each write, in the machine's order. With `passes` this tells an SK2 write
  /// from two SKAcc passes.
  std::vector<VertexWeight> writes;
  /// Truncations between its bind pose and its final bytes: the SK1/SK2 write and every SKAcc pass.
  std::uint32_t passes = 0;
  bool drawn = false;
};

/// All of a model's, ascending by slot.
std::vector<DiffVertex> diff_vertices(const Subject& subject);

}  // namespace lockline::harness
