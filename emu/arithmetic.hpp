#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "emu/profile.hpp"

/// Single-precision arithmetic as the skinning loop sees it, FPSCR[NI] = 1: denormal results become zero of
/// the same sign, denormal inputs count as zero. Source: arithmetic.md.
namespace lockline::emu {

/// Zero of the same sign when v is denormal, else v.
inline float flush(float v) {
  return std::abs(v) < std::numeric_limits<float>::min() ? std::copysign(0.0F, v) : v;
}

/// Keeps a rounding to single that GCC 12 loses: its vectorizer folds float -> double after double -> float
/// away (seen in transform_sk1, where 1014 became 1015; the vectors catch it).
[[gnu::always_inline]] inline float rounded(float v) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
  asm("" : "+x"(v));
#elif defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
  asm("" : "+w"(v));
#endif
  return v;
}

/// a x b + c, rounded once, with the processor's instruction (or the C library's exact emulation of it).
struct FusedOnce {
  [[gnu::always_inline]] static inline float multiply_add(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
  }
};

/// a x b + c, rounded once, without a fused instruction: the product of two singles is exact in double; the
/// double sum is rounded to odd, which keeps what the final rounding to single must know (53 >= 24 + 2 bits).
struct FusedByOdd {
  [[gnu::always_inline]] static inline float multiply_add(float a, float b, float c) {
    const double product = static_cast<double>(a) * b;
    const double addend = c;
    const double sum = product + addend;
    const double shadow = sum - product;  // two-sum: sum + error == product + addend
    const double error = (product - (sum - shadow)) + (addend - shadow);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    const bool inexact = error > 0 || error < 0;
    if (inexact && (bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : -std::uint64_t{1};
    return rounded(static_cast<float>(std::bit_cast<double>(bits)));
  }
};

/// a x b + c, rounded to double and then to single.
struct ThroughDouble {
  [[gnu::always_inline]] static inline float multiply_add(float a, float b, float c) {
    return rounded(static_cast<float>(static_cast<double>(a) * b + c));
  }
};

#if defined(__x86_64__) && !defined(__FMA__)
/// Whether the processor has the fused instruction must be asked at run time: compile FusedOnce for
/// gnu::target("fma") and FusedByOdd beside it.
#define LOCKLINE_ASKS_FOR_FMA
bool has_fma();
#endif

/// One multiply-add by profile, for tests and tools; the kernels use the templates.
float multiply_add(const Profile& profile, float a, float b, float c);
/// One multiplication by profile: rounded once in every one (48 product bits fit a double).
float multiply(const Profile& profile, float a, float b);

/// The processor's own flush mode for the lifetime of the object, so that a loop need not flush by hand.
/// `active` is false where there is no such mode; then every operation flushes its result explicitly.
class NonIeeeMode {
 public:
#if defined(__SSE2__)
  static constexpr bool active = true;
  explicit NonIeeeMode(bool inputs_too) : saved_(_mm_getcsr()) {
    _mm_setcsr((saved_ & ~denormals_are_zero) | flush_to_zero | (inputs_too ? denormals_are_zero : 0));
    barrier();
  }
  ~NonIeeeMode() {
    barrier();
    _mm_setcsr(saved_);
  }

 private:
  static constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  static void barrier() {
    asm volatile("" ::: "memory");
  }
  unsigned saved_;

 public:
#else
  static constexpr bool active = false;
  explicit NonIeeeMode(bool) {}
  ~NonIeeeMode() {}
#endif
  NonIeeeMode(const NonIeeeMode&) = delete;
  NonIeeeMode& operator=(const NonIeeeMode&) = delete;
};

}  // namespace lockline::emu
