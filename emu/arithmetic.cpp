#include "emu/arithmetic.hpp"

namespace lockline::emu {

float multiply_add(Rounding rounding, float a, float b, float c) {
  return rounding == Rounding::once ? ps_madd<FusedOnce>(a, b, c) : ps_madd<ThroughDouble>(a, b, c);
}

}  // namespace lockline::emu
