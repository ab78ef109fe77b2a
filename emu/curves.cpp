#include "emu/curves.hpp"

#include <cmath>

namespace lockline::emu {
namespace {

constexpr float nearly_equal = 0.99999F;

float dot(const Quaternion& a, const Quaternion& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Quaternion mix(const Quaternion& a, float of_a, const Quaternion& b, float of_b) {
  Quaternion q{};
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = of_a * a[i] + of_b * b[i];
  return q;
}

float sine(float v) {
  return static_cast<float>(std::sin(static_cast<double>(v)));
}

}  // namespace

float linear(float a, float b, float u) {
  return a + (b - a) * u;
}

float bezier(float a, float a_out, float b_in, float b, float u) {
  const float v = 1 - u;
  const float vv = v * v, uu = u * u;
  return (vv * v * a + 3 * u * vv * a_out) + (3 * uu * v * b_in + uu * u * b);
}

float hermite(float a, float a_out, float b_in, float b, float u) {
  const float uu = u * u, uuu = uu * u;
  const float of_b = 3 * uu - 2 * uuu;
  return ((1 - of_b) * a + of_b * b) + ((uuu - 2 * uu + u) * a_out + (uuu - uu) * b_in);
}

float eased(float u, float out, float in) {
  if (!(out > 0)) out = 0;
  if (!(in > 0)) in = 0;
  const float sum = out + in;
  if (sum == 0) return u;
  if (sum > 1) {
    out /= sum;
    in /= sum;
  }
  const float k = 1 / (2 - out - in);
  if (u < out) return k / out * u * u;
  if (u < 1 - in || in == 0) return k * (2 * u - out);
  const float left = 1 - u;
  return 1 - k / in * left * left;
}

float nearest_turn(float a, float b) {
  constexpr float turn = 360;
  return b - turn * std::nearbyint((b - a) / turn);
}

Quaternion linear(const Quaternion& a, const Quaternion& b, float u) {
  return mix(a, 1 - u, b, dot(a, b) < 0 ? -u : u);
}

Quaternion slerp(const Quaternion& a, const Quaternion& b, float u) {
  const float cosine = dot(a, b);
  const float way = cosine < 0 ? -1.0F : 1.0F;
  if (!(std::abs(cosine) <= nearly_equal)) return mix(a, 1 - u, b, way * u);
  const auto angle = static_cast<float>(std::acos(static_cast<double>(std::abs(cosine))));
  const float whole = sine(angle);
  return mix(a, sine((1 - u) * angle) / whole, b, way * (sine(u * angle) / whole));
}

Quaternion squad(const Quaternion& a, const Quaternion& a_out, const Quaternion& b_in, const Quaternion& b,
                 float u) {
  return slerp(slerp(a, b, u), slerp(a_out, b_in, u), 2 * u * (1 - u));
}

}  // namespace lockline::emu
