#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/recipe.hpp"
#include "formats/anm.hpp"

namespace lockline::corpus {

/// An animation bank for a skeleton: named sequences ("idle", "swing", ...) with a track for most of the
/// bones that have a track id. `track_ids` is the ACT's kind-3 table, a track id per bone (0xFFFF none). Over
/// all sequences the tracks use every type, quantization format and interpolation kind; among them are tracks
/// of one key, tracks of different lengths, keys that share their setting and control data, matrices, and
/// tracks that replace the hierarchy. Movements are small: scales of 3/4 to 5/4, turns of at most 30 degrees
/// about each axis, a quarter unit of translation. Track lengths are 8 to 48. The same arguments give the
/// same bank on every machine.
Anm build_animation(std::span<const std::uint16_t> track_ids, std::uint64_t seed);

/// The bank that goes with a recipe's model, from its skeleton and seed alone; `build` always gives the ACT
/// the table used here (breaks may damage it afterwards).
Anm build_animation(const Recipe& recipe);

}  // namespace lockline::corpus
