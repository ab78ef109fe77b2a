#pragma once

#include "formats/anm.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {

/// Random numbers for a key's setting and control data, as its track's type, quantization and kinds store
/// them. Quaternions have unit length (to 2^-14) and a positive w.
void fill_key(const AnmTrack& track, SplitMix64& random, AnmKeyframe& key);

}  // namespace lockline::corpus
