#pragma once

#include <cstdint>

#include "corpus/recipe.hpp"
#include "formats/act.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {

/// An ACT section at block offset `at`: chains of `limb` bones from bone 0, rest poses of every kind (none,
/// translation, Euler, quaternion), the geo name, track ids (kind 3) and a mirror table (kind 2). GEO ids
/// come from the recipe's rigid submeshes.
Act build_act(const Recipe& recipe, std::uint32_t at, SplitMix64& random);

}  // namespace lockline::corpus
