#include "tests/conformance/palettes.hpp"

#include <cmath>

namespace lockline::conformance {
namespace {

constexpr Matrix rest{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/// A rotation by a random unit quaternion; only +, -, x and a correctly rounded square root, so that every
/// machine makes the same one.
Matrix rotated(SplitMix64& random) {
  std::array<float, 4> q;
  for (float& c : q) c = random.unit() - 0.5F;
  const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) + 1e-6F;
  for (float& c : q) c /= length;
  const auto [x, y, z, w] = q;
  Matrix m{1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),     0,
           2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),     0,
           2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y), 0};
  for (const unsigned t : {3U, 7U, 11U}) m[t] = (random.unit() - 0.5F) * 4;
  return m;
}

Matrix wild(SplitMix64& random) {
  Matrix m = rotated(random);
  for (float& v : m) v *= std::ldexp(1 + random.unit(), random.around(12));
  return m;
}

void put_special(SplitMix64& random, Palette& palette) {
  constexpr std::array<std::uint32_t, 6> specials{0x7FC00000, 0x7F800000, 0xFF800000,
                                                  0x00000001, 0x807FFFFF, 0x00800000};
  Matrix& m = palette.matrices[random.below(static_cast<std::uint32_t>(palette.matrices.size()))];
  m[random.below(12)] = std::bit_cast<float>(specials[random.below(specials.size())]);
}

}  // namespace

Palette random_palette(SplitMix64& random, std::uint32_t bones, std::uint32_t frames) {
  Palette palette{.frames = frames, .bones = bones, .matrices = {}};
  for (std::uint32_t i = 0; i < frames * bones; ++i) {
    const std::uint32_t kind = i / bones % 3;
    palette.matrices.push_back(kind == 0 ? rest : kind == 1 ? rotated(random) : wild(random));
  }
  if (random.below(8) == 0) put_special(random, palette);
  return palette;
}

}  // namespace lockline::conformance
