#pragma once

#include <cstdint>

namespace lockline {

/// splitmix64 (public domain, S. Vigna): the same numbers on every machine, unlike the standard
/// distributions.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  /// 0 .. n-1; n must not be 0. The bias of at most n / 2^32 does not matter here.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }

  /// -limit .. limit.
  std::int32_t around(std::int32_t limit) {
    return static_cast<std::int32_t>(below(static_cast<std::uint32_t>(2 * limit + 1))) - limit;
  }

  /// -1 <= x < 1, a multiple of 2^-52.
  double symmetric() { return static_cast<double>(next() >> 11) * 0x1p-52 - 1.0; }

  /// 0 <= x < 1, a multiple of 2^-24.
  float unit() { return static_cast<float>(next() >> 40) * 0x1p-24F; }

 private:
  std::uint64_t state_;
};

}  // namespace lockline
