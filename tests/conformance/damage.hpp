#pragma once

#include "formats/random.hpp"
#include "tests/conformance/chunks.hpp"

namespace lockline::conformance {

/// Changes one thing that the skinning frame looks at: a count, an offset, a pointer, a bone (never past
/// those that are named already), the quantize info, the memClr range, indices, weights or vertices. Mostly
/// by a little; sometimes to a value at a limit.
void damage(Buffer& block, SplitMix64& random);

}  // namespace lockline::conformance
