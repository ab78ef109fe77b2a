#pragma once

#include "formats/palette.hpp"
#include "formats/random.hpp"

namespace lockline::conformance {

/// Three frames: bones at rest; rotated and moved, with values that need every rounding; and wild (large,
/// tiny, skewed). One palette in eight also holds a denormal, an infinity or a NaN.
Palette random_palette(SplitMix64& random, std::uint32_t bones, std::uint32_t frames);

}  // namespace lockline::conformance
