#include "emu/curves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/random.hpp"

/// Every curve against another way to compute it, in double. Bounds are in units of the largest number that
/// goes in: 2^-24 is half a step of a single near 1.
namespace lockline::emu {
namespace {

constexpr double step = 0x1p-24;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Calls f with many u, the ends included.
template <class F>
void for_each_u(F f) {
  for (int i = 0; i <= 64; ++i) f(static_cast<float>(i) / 64);
  SplitMix64 random(7);
  for (int i = 0; i < 200; ++i) f(random.unit());
}

struct Segment {
  float a, out, in, b;
  double size() const {
    return std::max({std::abs(double{a}), std::abs(double{out}), std::abs(double{in}), std::abs(double{b})});
  }
};

template <class F>
void for_each_segment(F f) {
  SplitMix64 random(1);
  const auto number = [&](float size) { return size * static_cast<float>(random.symmetric()); };
  for (const float size : {1e-3F, 1.0F, 360.0F, 32768.0F}) {
    for (int i = 0; i < 50; ++i) {
      const Segment s{number(size), number(size), number(size), number(size)};
      for_each_u([&](float u) { f(s, u); });
    }
  }
}

TEST(Curves, LinearIsWithinThreeSteps) {
  for_each_segment([](const Segment& s, float u) {
    const double exact = (1 - double{u}) * s.a + double{u} * s.b;
    ASSERT_NEAR(linear(s.a, s.b, u), exact, 2 * 3 * step * s.size());
  });
}

TEST(Curves, BezierIsDeCasteljaus) {
  for_each_segment([](const Segment& s, float u) {
    const auto mid = [u](double a, double b) { return a + (b - a) * u; };
    const double ab = mid(s.a, s.out), bc = mid(s.out, s.in), cd = mid(s.in, s.b);
    ASSERT_NEAR(bezier(s.a, s.out, s.in, s.b, u), mid(mid(ab, bc), mid(bc, cd)), 8 * step * s.size());
  });
}

TEST(Curves, HermiteIsTheBezierWithAThirdOfItsTangents) {
  for_each_segment([](const Segment& s, float u) {
    const auto mid = [u](double a, double b) { return a + (b - a) * u; };
    const double p1 = s.a + s.out / 3.0, p2 = s.b - s.in / 3.0;
    const double ab = mid(s.a, p1), bc = mid(p1, p2), cd = mid(p2, s.b);
    ASSERT_NEAR(hermite(s.a, s.out, s.in, s.b, u), mid(mid(ab, bc), mid(bc, cd)), 12 * step * s.size());
  });
}

TEST(Curves, EndsAreTheKeys) {
  for_each_segment([](const Segment& s, float) {
    ASSERT_EQ(linear(s.a, s.b, 0), s.a);
    ASSERT_EQ(bezier(s.a, s.out, s.in, s.b, 0), s.a);
    ASSERT_EQ(bezier(s.a, s.out, s.in, s.b, 1), s.b);
    ASSERT_EQ(hermite(s.a, s.out, s.in, s.b, 0), s.a);
    ASSERT_EQ(hermite(s.a, s.out, s.in, s.b, 1), s.b);
  });
}

/// The way at constant acceleration over `out`, constant speed, and constant deceleration over `in`: the area
/// under a trapezium, as a part of the whole.
double way(double u, double out, double in) {
  const double sum = out + in;
  if (sum > 1) out /= sum, in /= sum;
  const auto speed = [&](double t) {
    double v = 1;
    if (t < out) v = std::min(v, t / out);
    if (1 - t < in) v = std::min(v, (1 - t) / in);
    return v;
  };
  const auto area = [&](double end) {
    constexpr int slices = 20000;
    double sum_of_speeds = 0;
    for (int i = 0; i < slices; ++i) sum_of_speeds += speed((i + 0.5) * end / slices);
    return sum_of_speeds * end / slices;
  };
  return area(u) / area(1);
}

TEST(Curves, EaseIsTheAreaUnderATrapezium) {
  for (const auto& [out, in] : {std::pair(0.25F, 0.25F), std::pair(0.0F, 0.5F), std::pair(0.5F, 0.0F),
                                std::pair(1.0F, 0.0F), std::pair(0.0F, 1.0F), std::pair(0.3F, 0.7F),
                                std::pair(1.0F, 1.0F), std::pair(3.0F, 0.5F), std::pair(0.01F, 0.02F)}) {
    for (int i = 0; i <= 32; ++i) {
      const float u = static_cast<float>(i) / 32;
      ASSERT_NEAR(eased(u, out, in), way(u, out, in), 2e-6) << out << " " << in << " " << u;
    }
  }
}

TEST(Curves, EaseWithoutEaseChangesNothing) {
  for_each_u([](float u) {
    ASSERT_EQ(eased(u, 0, 0), u);
    ASSERT_EQ(eased(u, -1, nan), u);
    ASSERT_EQ(eased(u, nan, 0.5F), eased(u, 0, 0.5F));
  });
}

TEST(Curves, TheNearestTurnIsWithinHalfATurn) {
  EXPECT_EQ(nearest_turn(350, 10), 370);
  EXPECT_EQ(nearest_turn(10, 350), -10);
  EXPECT_EQ(nearest_turn(0, 180), 180);
  EXPECT_EQ(nearest_turn(0, -180), -180);
  EXPECT_EQ(nearest_turn(0, 180.5F), -179.5F);
  EXPECT_EQ(nearest_turn(0, -180.5F), 179.5F);
  EXPECT_EQ(nearest_turn(-170, 900), -180);
  EXPECT_EQ(nearest_turn(0.1F, 0.7F), 0.7F);
  EXPECT_TRUE(std::isnan(nearest_turn(0, std::numeric_limits<float>::infinity())));
}

using Wide = std::array<double, 4>;

Wide widened(const Quaternion& q) {
  return {q[0], q[1], q[2], q[3]};
}

Wide product(const Wide& a, const Wide& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

/// a (a^-1 b)^u: turn from a towards b about the one axis between them, by the part u of the angle.
Wide turned(const Wide& a, const Wide& b, double u) {
  Wide relative = product({-a[0], -a[1], -a[2], a[3]}, b);
  if (relative[3] < 0)
    for (double& v : relative) v = -v;
  const double sine = std::hypot(relative[0], relative[1], relative[2]);
  const double angle = std::atan2(sine, relative[3]);
  const double part = sine == 0 ? 0 : std::sin(u * angle) / sine;
  return product(a, {part * relative[0], part * relative[1], part * relative[2], std::cos(u * angle)});
}

Quaternion random_turn(SplitMix64& random) {
  Wide q{};
  double square = 0;
  while (square < 0.01) {
    square = 0;
    for (double& v : q) v = random.symmetric(), square += v * v;
  }
  Quaternion unit{};
  for (std::size_t i = 0; i < 4; ++i) unit[i] = static_cast<float>(q[i] / std::sqrt(square));
  return unit;
}

/// Of unit length, `apart` away.
Quaternion moved_a_little(Quaternion q, float apart) {
  q[0] += apart;
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  for (float& v : q) v = static_cast<float>(v / length);
  return q;
}

void expect_near(const Quaternion& actual, const Wide& exact, double bound) {
  for (std::size_t i = 0; i < 4; ++i) ASSERT_NEAR(actual[i], exact[i], bound) << i;
}

TEST(Curves, SlerpTurnsAboutOneAxis) {
  SplitMix64 random(3);
  for (int i = 0; i < 300; ++i) {
    const Quaternion a = random_turn(random), b = random_turn(random);
    for_each_u([&](float u) { expect_near(slerp(a, b, u), turned(widened(a), widened(b), u), 1e-6); });
  }
}

TEST(Curves, SlerpOfNearQuaternionsStaysOnTheWay) {
  SplitMix64 random(4);
  for (const float apart : {0.0F, 1e-6F, 1e-4F, 4e-3F, 5e-3F, 1e-2F}) {
    const Quaternion a = random_turn(random);
    const Quaternion b = moved_a_little(a, apart);
    for (const float sign : {1.0F, -1.0F}) {
      Quaternion signed_b = b;
      for (float& v : signed_b) v *= sign;
      // Chord for arc: their distance is at most angle^2 / 8 of the angle.
      for_each_u(
          [&](float u) { expect_near(slerp(a, signed_b, u), turned(widened(a), widened(b), u), 4e-5); });
    }
  }
}

TEST(Curves, LinearQuaternionsTakeTheShorterWay) {
  SplitMix64 random(5);
  for (int i = 0; i < 100; ++i) {
    const Quaternion a = random_turn(random), b = random_turn(random);
    Quaternion other = b;
    for (float& v : other) v = -v;
    for_each_u([&](float u) {
      const Quaternion q = linear(a, b, u);
      ASSERT_EQ(q, linear(a, other, u));
      const double dot =
          double{a[0]} * b[0] + double{a[1]} * b[1] + double{a[2]} * b[2] + double{a[3]} * b[3];
      for (std::size_t c = 0; c < 4; ++c)
        ASSERT_NEAR(q[c], (1 - double{u}) * a[c] + double{u} * b[c] * (dot < 0 ? -1 : 1), 4 * step);
    });
  }
}

TEST(Curves, SquadIsThreeSlerps) {
  SplitMix64 random(6);
  for (int i = 0; i < 200; ++i) {
    const Quaternion a = random_turn(random), out = random_turn(random), in = random_turn(random),
                     b = random_turn(random);
    const auto inner = [&](double u) {
      return std::pair(turned(widened(a), widened(b), u), turned(widened(out), widened(in), u));
    };
    for_each_u([&](float u) {
      const auto [p, q] = inner(u);
      const double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
      if (std::abs(dot) < 1e-3) return;  // which way round is shorter is decided by the last bit
      expect_near(squad(a, out, in, b, u), turned(p, q, 2 * double{u} * (1 - double{u})), 4e-6);
    });
    expect_near(squad(a, out, in, b, 0), widened(a), 1e-6);
  }
}

TEST(Curves, WhatIsNoNumberStaysOne) {
  const Quaternion bad{nan, 0, 0, 1}, zero{};
  EXPECT_TRUE(std::isnan(slerp(bad, {0, 0, 0, 1}, 0.5F)[0]));
  EXPECT_EQ(slerp(zero, zero, 0.5F), zero);
  EXPECT_EQ(squad(zero, zero, zero, zero, 0.25F), zero);
}

}  // namespace
}  // namespace lockline::emu
