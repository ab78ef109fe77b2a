#include "emu/animation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "emu/curves.hpp"
#include "emu/player.hpp"

namespace lockline::emu {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

KeyTimes times(const std::vector<float>& values, float length) {
  std::vector<AnmKeyframe> keys;
  for (const float time : values) keys.emplace_back().time = time;
  return {keys, length};
}

void expect_pair(const KeyPair& pair, std::uint32_t first, std::uint32_t second, float u) {
  EXPECT_EQ(pair.first, first);
  EXPECT_EQ(pair.second, second);
  EXPECT_EQ(pair.u, u);
}

TEST(KeyTimes, TheLastKeyNotLaterAndTheOneAfter) {
  const KeyTimes keys = times({0, 4, 12}, 20);
  expect_pair(keys.at(0), 0, 1, 0);
  expect_pair(keys.at(1), 0, 1, 0.25F);
  expect_pair(keys.at(std::nextafter(4.0F, 0.0F)), 0, 1, std::nextafter(4.0F, 0.0F) / 4);
  expect_pair(keys.at(4), 1, 2, 0);
  expect_pair(keys.at(8), 1, 2, 0.5F);
}

TEST(KeyTimes, PastTheLastKeyTheFirstAgainUpToTheLength) {
  const KeyTimes keys = times({0, 4, 12}, 20);
  expect_pair(keys.at(std::nextafter(12.0F, 0.0F)), 1, 2, (std::nextafter(12.0F, 0.0F) - 4) / 8);
  expect_pair(keys.at(12), 2, 0, 0);
  expect_pair(keys.at(18), 2, 0, 0.75F);
  expect_pair(keys.at(21), 2, 0, 0);  // past the length, where no key time gets
}

TEST(KeyTimes, BeforeTheFirstKeyTheFirst) {
  expect_pair(times({2, 4}, 10).at(1), 0, 0, 0);
  expect_pair(times({2, 4}, 10).at(-inf), 0, 0, 0);
}

TEST(KeyTimes, OneKeyLeadsToItself) {
  expect_pair(times({0}, 10).at(0), 0, 0, 0);
  expect_pair(times({0}, 10).at(5), 0, 0, 0.5F);
}

TEST(KeyTimes, SegmentsWithoutLengthStayAtTheirFirstKey) {
  expect_pair(times({0, 10}, 10).at(10), 1, 0, 0);
  expect_pair(times({0, 12}, 10).at(12), 1, 0, 0);
  expect_pair(times({0}, 0).at(0), 0, 0, 0);
  expect_pair(times({0}, nan).at(0), 0, 0, 0);
  expect_pair(times({0}, inf).at(5), 0, 0, 0);
}

TEST(KeyTimes, OfEqualTimesTheLastCounts) {
  const KeyTimes keys = times({0, 4, 4, 8}, 10);
  expect_pair(keys.at(3), 0, 1, 0.75F);
  expect_pair(keys.at(4), 2, 3, 0);
}

/// By the definition: from the end, the first key whose time is not later.
std::uint32_t last_not_later(const std::vector<float>& values, float t) {
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i] <= t) return static_cast<std::uint32_t>(i);
  }
  return 0;
}

TEST(KeyTimes, DamagedTimesGiveADefinedPair) {
  for (const std::vector<float>& values : {std::vector<float>{9, 3, 7, 1, 5},
                                           {nan, nan},
                                           {0, nan, 4, nan},
                                           {-inf, 0, inf},
                                           {inf, -inf},
                                           {5, 0, 5},
                                           {0, inf},
                                           {nan, 0},
                                           {3e38F, -3e38F}}) {
    const KeyTimes keys = times(values, 10);
    for (const float t : {0.0F, 0.5F, 1.0F, 3.0F, 4.0F, 5.0F, 8.0F, 9.0F, 9.5F, 1e30F, -1.0F}) {
      const KeyPair pair = keys.at(t);
      EXPECT_EQ(pair.first, last_not_later(values, t));
      EXPECT_LT(pair.second, values.size());
      EXPECT_TRUE(pair.u >= 0 && pair.u <= 1) << pair.u;
    }
  }
}

TEST(NextTime, WrapsAtTheLength) {
  EXPECT_EQ(next_time(0, 1, 10), 1);
  EXPECT_EQ(next_time(8, 1.5F, 10), 9.5F);
  EXPECT_EQ(next_time(9, 1, 10), 0) << "the length itself is the start again";
  EXPECT_EQ(next_time(9.5F, 1, 10), 0.5F);
  EXPECT_EQ(next_time(0, 35, 10), 5) << "faster than the track is long";
  EXPECT_EQ(next_time(0, std::nextafter(10.0F, 0.0F), 10), std::nextafter(10.0F, 0.0F));
}

TEST(NextTime, WithoutALengthStandsStill) {
  for (const float length : {0.0F, -1.0F, nan, -inf}) EXPECT_EQ(next_time(3, 1, length), 0) << length;
  EXPECT_EQ(next_time(3, 1, inf), 4);
  EXPECT_EQ(next_time(3e38F, 3e38F, 3.2e38F), 0);
}

/// Interpolation kinds as the track's byte has them.
std::uint8_t kinds(Interpolation translation, Interpolation scale, Interpolation rotation) {
  return static_cast<std::uint8_t>(static_cast<int>(translation) | static_cast<int>(scale) << 2 |
                                   static_cast<int>(rotation) << 4);
}

struct Key {
  float time = 0;
  std::vector<float> setting, controls;
};

AnmTrack track(std::uint8_t type, std::uint8_t interpolation, float length, const std::vector<Key>& keys) {
  AnmTrack t;
  t.type = type;
  t.interpolation = interpolation;
  t.length = length;
  t.quantization.raw = 0x40;
  t.keyframe_count = static_cast<std::uint16_t>(keys.size());
  for (const Key& key : keys) {
    AnmKeyframe& k = t.keyframes.emplace_back();
    k.time = key.time;
    k.setting = key.setting;
    k.interpolation = key.controls;
  }
  return t;
}

constexpr Interpolation step = Interpolation::step, straight = Interpolation::linear,
                        bez = Interpolation::bezier, herm = Interpolation::hermite;

std::array<float, 3> translation_of(const Control& c) {
  return {c.values[7], c.values[8], c.values[9]};
}
std::array<float, 3> angles_of(const Control& c) {
  return {c.values[3], c.values[4], c.values[5]};
}

TEST(TrackMotion, EveryPartByItsOwnKind) {
  const TrackMotion motion(track(
      AnmTrack::translation_bit | AnmTrack::scale_bit | AnmTrack::euler_bit, kinds(straight, step, straight),
      8, {{0, {1, 2, 3, 10, 20, 350, 0, 0, 0}, {}}, {4, {5, 5, 5, 30, 20, 10, 4, 8, -4}, {}}}));
  const Control c = motion.at(1);
  EXPECT_EQ(c.mask, Control::scale_bit | Control::euler_bit | Control::translation_bit);
  EXPECT_EQ((std::array{c.values[0], c.values[1], c.values[2]}), (std::array{1.0F, 2.0F, 3.0F}));
  EXPECT_EQ(angles_of(c), (std::array{15.0F, 20.0F, 355.0F}));
  EXPECT_EQ(translation_of(c), (std::array{1.0F, 2.0F, -1.0F}));
}

TEST(TrackMotion, TheLastSegmentLeadsBackToTheFirstKey) {
  const TrackMotion motion(track(AnmTrack::translation_bit, kinds(straight, step, step), 8,
                                 {{0, {0, 0, 0}, {}}, {4, {8, 0, 0}, {}}}));
  EXPECT_EQ(translation_of(motion.at(4))[0], 8);
  EXPECT_EQ(translation_of(motion.at(6))[0], 4);
  EXPECT_EQ(translation_of(motion.at(7))[0], 2);
}

TEST(TrackMotion, ABezierTakesTheFirstKeysOutAndTheSecondsIn) {
  const TrackMotion motion(track(AnmTrack::translation_bit, kinds(bez, step, step), 8,
                                 {{0, {0, 0, 0}, {99, 0, 0, 1, 2, 3}}, {4, {4, 4, 4}, {5, 6, 7, 99, 0, 0}}}));
  EXPECT_EQ(translation_of(motion.at(1)),
            (std::array{bezier(0, 1, 5, 4, 0.25F), bezier(0, 2, 6, 4, 0.25F), bezier(0, 3, 7, 4, 0.25F)}));
}

TEST(TrackMotion, AHermiteIsEasedByTheFirstKeysOutAndTheSecondsIn) {
  const float unit = 1 << 14;
  const TrackMotion motion(track(AnmTrack::scale_bit, kinds(step, herm, step), 8,
                                 {{0, {0, 0, 0}, {9, 9, 9, 1, 2, 3, 0.9F * unit, 0.25F * unit}},
                                  {4, {4, 4, 4}, {5, 6, 7, 9, 9, 9, 0.5F * unit, 0.9F * unit}}}));
  const float u = eased(0.25F, 0.25F, 0.5F);
  const Control c = motion.at(1);
  EXPECT_EQ((std::array{c.values[0], c.values[1], c.values[2]}),
            (std::array{hermite(0, 1, 5, 4, u), hermite(0, 2, 6, 4, u), hermite(0, 3, 7, 4, u)}));
}

TEST(TrackMotion, ABezierOfAnglesKeepsItsControlPointsBesideTheirKeys) {
  const TrackMotion motion(
      track(AnmTrack::euler_bit, kinds(step, step, bez), 8,
            {{0, {350, 0, 0}, {0, 0, 0, 352, 0, 0}}, {4, {10, 0, 0}, {8, 0, 0, 0, 0, 0}}}));
  EXPECT_EQ(angles_of(motion.at(2))[0], bezier(350, 352, 368, 370, 0.5F));
}

Quaternion quaternion_of(const Control& c) {
  return {c.values[3], c.values[4], c.values[5], c.values[6]};
}

/// A quaternion as a key stores it.
std::vector<float> stored(std::initializer_list<Quaternion> quaternions) {
  std::vector<float> out;
  for (const Quaternion& q : quaternions)
    for (const float v : q) out.push_back(std::round(v * (1 << 14)));
  return out;
}
Quaternion read_back(Quaternion q) {
  for (float& v : q) v = std::round(v * (1 << 14)) / (1 << 14);
  return q;
}

const Quaternion qa{0, 0, 0, 1}, qb{0.6F, 0, 0.48F, 0.64F}, qc{0, 0.6F, 0, 0.8F}, qd{0.5F, 0.5F, 0.5F, 0.5F};

Control quaternions_at(Interpolation kind, const std::vector<float>& first, const std::vector<float>& second,
                       float t) {
  return TrackMotion(track(AnmTrack::quaternion_bit, kinds(step, step, kind), 8,
                           {{0, stored({qa}), first}, {4, stored({qb}), second}}))
      .at(t);
}

TEST(TrackMotion, QuaternionsByEveryKind) {
  const Quaternion a = read_back(qa), b = read_back(qb), c = read_back(qc), d = read_back(qd);
  EXPECT_EQ(quaternion_of(quaternions_at(step, {}, {}, 3)), a);
  EXPECT_EQ(quaternion_of(quaternions_at(straight, {}, {}, 3)), linear(a, b, 0.75F));
  EXPECT_EQ(quaternion_of(quaternions_at(Interpolation::slerp, {}, {}, 3)), slerp(a, b, 0.75F));
  EXPECT_EQ(quaternion_of(quaternions_at(Interpolation{7}, {}, {}, 3)), linear(a, b, 0.75F));
  EXPECT_EQ(quaternion_of(quaternions_at(Interpolation::squad, stored({qb, qc}), stored({qd, qa}), 3)),
            squad(a, c, d, b, 0.75F));
  std::vector<float> first = stored({qb, qc}), second = stored({qd, qa});
  first.insert(first.end(), {0, 4096});  // ease in, ease out
  second.insert(second.end(), {8192, 0});
  EXPECT_EQ(quaternion_of(quaternions_at(Interpolation::squad_ease, first, second, 3)),
            squad(a, c, d, b, eased(0.75F, 0.25F, 0.5F)));
  const Quaternion curved = quaternion_of(quaternions_at(bez, stored({qb, qc}), stored({qd, qa}), 3));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(curved[i], bezier(a[i], c[i], d[i], b[i], 0.75F));
}

TEST(TrackMotion, OneKeyIsItsValues) {
  const TrackMotion motion(track(AnmTrack::translation_bit, kinds(herm, step, step), 8,
                                 {{0, {1, 2, 3}, {9, 9, 9, 9, 9, 9, 0, 0}}}));
  for (const float t : {0.0F, 3.0F, 7.5F})
    EXPECT_EQ(translation_of(motion.at(t)), (std::array{1.0F, 2.0F, 3.0F}));
}

TEST(TrackMotion, NoKeysOrNoTypeIsNoControl) {
  EXPECT_EQ(TrackMotion(track(AnmTrack::translation_bit, 0, 8, {})).at(1).mask, 0);
  EXPECT_EQ(TrackMotion(track(0, 0, 8, {{0, {}, {}}})).at(1).mask, 0);
}

TEST(TrackMotion, AMatrixDoesNotChangeBetweenKeys) {
  const std::vector<float> m{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, n(12, 0);
  const TrackMotion motion(
      track(AnmTrack::matrix_bit, kinds(straight, straight, straight), 8, {{0, m, {}}, {4, n, {}}}));
  const Control c = motion.at(3);
  EXPECT_EQ(c.mask, Control::matrix_bit);
  EXPECT_TRUE(std::equal(m.begin(), m.end(), c.values.begin()));
}

TEST(TrackMotion, KeysWithoutTheirNumbersAreZeros) {
  const TrackMotion motion(
      track(AnmTrack::translation_bit | AnmTrack::euler_bit, 0xFF, 8, {{0, {}, {}}, {4, {}, {}}}));
  EXPECT_EQ(translation_of(motion.at(3)), (std::array{0.0F, 0.0F, 0.0F}));
}

TEST(TrackMotion, EveryTypeAndInterpolationByteIsSafe) {
  const std::vector<float> numbers(20, 3);
  for (int type = 0; type < 256; ++type) {
    for (int interpolation = 0; interpolation < 256; ++interpolation) {
      const TrackMotion motion(track(static_cast<std::uint8_t>(type),
                                     static_cast<std::uint8_t>(interpolation), 8,
                                     {{0, numbers, numbers}, {nan, {}, {}}, {4, numbers, {}}}));
      for (const float t : {0.0F, 2.0F, 6.0F}) motion.at(t);
    }
  }
}

Act one_bone(std::vector<std::uint16_t> ids) {
  Act act;
  for (std::size_t i = 0; i < ids.size(); ++i)
    act.bones.emplace_back().at = static_cast<std::uint32_t>(0x20 + 0x1C * i);
  UserData& user = act.user_data.emplace_back();
  user.kind = UserData::tracks_kind;
  user.data = std::move(ids);
  return act;
}

AnmTrack moving(std::uint16_t id, float per_unit, float length) {
  AnmTrack t = track(AnmTrack::translation_bit, kinds(straight, step, step), length,
                     {{0, {0, 0, 0}, {}}, {length - 1, {per_unit * (length - 1), 0, 0}, {}}});
  t.id = id;
  return t;
}

std::vector<float> x_of(Player& player) {
  std::vector<Matrix> skin(player.bones());
  player.skin_matrices(skin);
  std::vector<float> x;
  for (const Matrix& m : skin) x.push_back(m[3]);
  return x;
}

TEST(Player, TracksWrapEachAtItsOwnLength) {
  AnmSequence sequence;
  sequence.tracks = {moving(7, 1, 5), moving(3, 1, 9), moving(7, 100, 5), moving(4, 100, 5)};
  Player player(one_bone({3, 7, no_track, 7}), sequence);
  EXPECT_EQ(x_of(player), (std::vector<float>{0, 0, 0, 0}));
  for (int i = 0; i < 3; ++i) player.advance(1);
  EXPECT_EQ(x_of(player), (std::vector<float>{3, 3, 0, 3}));
  for (int i = 0; i < 3; ++i) player.advance(1);
  EXPECT_EQ(x_of(player), (std::vector<float>{6, 1, 0, 1}));
  player.restart();
  player.advance(0.5F);
  EXPECT_EQ(x_of(player), (std::vector<float>{0.5F, 0.5F, 0, 0.5F}));
}

}  // namespace
}  // namespace lockline::emu
