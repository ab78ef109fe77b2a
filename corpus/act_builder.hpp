#pragma once

#include <cstdint>
#include <vector>

#include "corpus/recipe.hpp"
#include "formats/act.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {

/// The kind-3 table of a skeleton with that many bones: a track id per bone, its own number, or 0xFFFF for
/// none. Every 14th bone from 6 on has none, as the hand chains of the vanilla players (seed: bones 20, 34,
/// ...).
std::vector<std::uint16_t> track_ids(std::uint16_t bones);

/// An ACT section at block offset `at`: chains of `limb` bones from bone 0, rest poses of every kind (none,
/// translation, Euler, quaternion), the geo name, track ids (kind 3) and a mirror table (kind 2). GEO ids
/// come from the recipe's rigid submeshes.
Act build_act(const Recipe& recipe, std::uint32_t at, SplitMix64& random);

}  // namespace lockline::corpus
