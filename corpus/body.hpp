#pragma once

#include <cstdint>
#include <vector>

#include "corpus/recipe.hpp"
#include "corpus/skin_layout.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {

/// The skinned body of a recipe, laid out.
struct Body {
  std::vector<WeightedVertex> vertices;    ///< group after group
  std::vector<std::uint32_t> group_first;  ///< per group: its first vertex
  SkinLayout layout;
  std::vector<std::uint32_t> drawn;  ///< slots that primitives use, ascending
  std::uint32_t stored = 0;          ///< slots the position array holds
};

/// Errors: those of lay_out().
Expected<Body> make_body(const Recipe& recipe, SplitMix64& random);

/// x y z within `extent`, then a normal of length 2^shift (at most `extent`).
SkinVertex random_vertex(SplitMix64& random, std::int32_t extent, std::uint8_t shift);

}  // namespace lockline::corpus
