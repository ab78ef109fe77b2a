#include "emu/arithmetic.hpp"

namespace lockline::emu {

#ifdef LOCKLINE_ASKS_FOR_FMA
bool has_fma() {
  static const bool answer = __builtin_cpu_supports("fma") != 0;
  return answer;
}
#endif
namespace {
float input(const Profile& profile, float v) {
  return profile.denormal_inputs_are_zero ? flush(v) : v;
}
}  // namespace

float multiply_add(const Profile& profile, float a, float b, float c) {
  a = input(profile, a), b = input(profile, b), c = input(profile, c);
  return flush(profile.rounding == Rounding::once ? FusedOnce::multiply_add(a, b, c)
                                                  : ThroughDouble::multiply_add(a, b, c));
}

float multiply(const Profile& profile, float a, float b) {
  return flush(rounded(input(profile, a) * input(profile, b)));
}

}  // namespace lockline::emu
