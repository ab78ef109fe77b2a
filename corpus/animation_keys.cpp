#include "corpus/animation_keys.hpp"

#include <array>
#include <cmath>

#include "formats/anm_layout.hpp"

namespace lockline::corpus {
namespace {

constexpr float largest_scale_change = 0.25F, largest_turn = 30, largest_move = 0.25F;
constexpr float half_turn_tangent = 0.2679492F;  // of 15 degrees
constexpr std::uint16_t one_as_ease = 1 << 14;

float around(SplitMix64& random, float centre, float spread) {
  return centre + spread * (random.unit() * 2 - 1);
}

/// x y z w: at most 30 degrees about a random axis. Only + - x / and sqrt: the same bits everywhere.
std::array<float, 4> small_turn(SplitMix64& random) {
  std::array<float, 4> q{0, 0, 0, 1};
  float square = 1;
  for (int i = 0; i < 3; ++i) {
    q[i] = around(random, 0, half_turn_tangent * 0.577F);
    square += q[i] * q[i];
  }
  for (float& component : q) component /= std::sqrt(square);
  return q;
}

std::vector<float> matrix_rows(SplitMix64& random) {
  const auto [x, y, z, w] = small_turn(random);
  std::vector<float> m{1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),     0,
                       2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),     0,
                       2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y), 0};
  for (const std::size_t i : {3, 7, 11}) m[i] = around(random, 0, largest_move);
  return m;
}

/// One value of a part; with `tangent` a slope, around 0.
std::vector<float> value(const KeyPart& part, bool tangent, SplitMix64& random) {
  const auto three = [&](float centre, float spread) {
    std::vector<float> numbers;
    for (int i = 0; i < 3; ++i) numbers.push_back(around(random, tangent ? 0 : centre, spread));
    return numbers;
  };
  switch (part.part) {
    case KeyPartKind::scale:
      return three(1, largest_scale_change);
    case KeyPartKind::euler:
      return three(0, largest_turn);
    case KeyPartKind::translation:
      return three(0, largest_move);
    case KeyPartKind::matrix:
      return matrix_rows(random);
    case KeyPartKind::quaternion:
      break;
  }
  const auto q = small_turn(random);
  return {q.begin(), q.end()};
}

/// As the file stores it: scaled, rounded to nearest, clamped.
float stored(float number, const KeyPart& part) {
  if (part.type == NumberType::f32) return number * part.divisor;
  const float rounded = std::floor(number * part.divisor + 0.5F);
  return with_number_type(
      part.type, [&]<class Number>(Number) { return static_cast<float>(narrowed<Number>(rounded)); });
}

void append(const KeyPart& part, bool tangent, SplitMix64& random, std::vector<float>& out) {
  for (const float number : value(part, tangent, random)) out.push_back(stored(number, part));
}

}  // namespace

void fill_key(const AnmTrack& track, SplitMix64& random, AnmKeyframe& key) {
  const KeyLayout layout(track);
  for (const KeyPart& part : layout.parts()) {
    append(part, false, random, key.setting);
    if (!part.has_controls()) continue;
    const bool tangents = part.kind == Interpolation::hermite;
    append(part, tangents, random, key.interpolation);
    append(part, tangents, random, key.interpolation);
    if (!part.has_eases()) continue;
    for (int i = 0; i < 2; ++i)
      key.interpolation.push_back(static_cast<float>(random.below(one_as_ease + 1)));
  }
}

}  // namespace lockline::corpus
