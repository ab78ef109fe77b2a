#include "emu/bones.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "formats/random.hpp"

namespace lockline::emu {
namespace {

/// 4x4 in double, written out by the definition.
using Wide = std::array<std::array<double, 4>, 4>;

Wide unit() {
  Wide m{};
  for (std::size_t i = 0; i < 4; ++i) m[i][i] = 1;
  return m;
}

Wide widened(const Matrix& m) {
  Wide w = unit();
  for (std::size_t i = 0; i < 12; ++i) w[i / 4][i % 4] = m[i];
  return w;
}

Wide operator*(const Wide& a, const Wide& b) {
  Wide m{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k) m[i][j] += a[i][k] * b[k][j];
  return m;
}

/// A turn by `degrees` about coordinate axis `axis`.
Wide about(std::size_t axis, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
  Wide m = unit();
  m[i][i] = m[j][j] = std::cos(angle);
  m[j][i] = std::sin(angle);
  m[i][j] = -std::sin(angle);
  return m;
}

void expect_near(const Matrix& actual, const Wide& exact, double bound) {
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(actual[i], exact[i / 4][i % 4], bound) << "element " << i;
}

Control control(std::uint8_t mask, std::array<float, 12> values) {
  Control c;
  c.mask = mask;
  c.values = values;
  return c;
}

constexpr std::uint8_t srt = Control::scale_bit | Control::translation_bit;

TEST(ControlMatrix, EulerTurnsAboutXThenYThenZ) {
  SplitMix64 random(1);
  for (int i = 0; i < 200; ++i) {
    const auto n = [&](double size) { return static_cast<float>(size * random.symmetric()); };
    const std::array<float, 12> v{n(2), n(2), n(2), n(720), n(720), n(720), 0, n(1), n(1), n(1), 0, 0};
    Wide scale = unit(), translation = unit();
    for (std::size_t c = 0; c < 3; ++c) scale[c][c] = v[c], translation[c][3] = v[7 + c];
    const Wide turn = about(2, v[5]) * about(1, v[4]) * about(0, v[3]);
    expect_near(control_matrix(control(srt | Control::euler_bit, v)), translation * turn * scale, 1e-6);
    expect_near(control_matrix(control(Control::euler_bit, v)), turn, 5e-7);
  }
}

TEST(ControlMatrix, AQuaternionIsTheTurnAboutItsAxis) {
  SplitMix64 random(2);
  for (int i = 0; i < 200; ++i) {
    const double angle = random.symmetric() * 180, x = random.symmetric(), y = random.symmetric();
    // About (x, y, 1): tilt z there, turn, tilt back.
    const double tilt_x = -std::atan2(y, 1) * 180 / std::numbers::pi,
                 tilt_y = std::atan2(x, std::hypot(y, 1)) * 180 / std::numbers::pi;
    const Wide tilt = about(0, tilt_x) * about(1, tilt_y), back = about(1, -tilt_y) * about(0, -tilt_x);
    const double length = std::hypot(x, y, 1), s = std::sin(angle * std::numbers::pi / 360) / length;
    for (const double size : {1.0, 0.25, 3.0}) {
      const auto n = [&](double v) { return static_cast<float>(size * v); };
      const std::array<float, 12> v{
          0, 0, 0, n(s * x), n(s * y), n(s), n(std::cos(angle * std::numbers::pi / 360)), 0, 0, 0, 0, 0};
      expect_near(control_matrix(control(Control::quaternion_bit, v)), tilt * about(2, angle) * back, 1e-6);
    }
  }
}

TEST(ControlMatrix, ComponentsWithoutTheirBitAreIgnored) {
  const std::array<float, 12> v{2, 3, 4, 90, 0, 0, 1, 5, 6, 7, 8, 9};
  EXPECT_EQ(control_matrix(control(0, v)), identity_matrix);
  EXPECT_EQ(control_matrix(control(Control::scale_bit, v)), (Matrix{2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0}));
  EXPECT_EQ(control_matrix(control(Control::translation_bit, v)),
            (Matrix{1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7}));
  EXPECT_EQ(control_matrix(control(0xFF, v)), v) << "a matrix replaces all";
  EXPECT_EQ(control_matrix(control(Control::euler_bit | Control::quaternion_bit, v)),
            control_matrix(control(Control::euler_bit, v)));
}

TEST(ControlMatrix, AQuaternionWithoutLengthGivesNoNumbers) {
  EXPECT_TRUE(std::isnan(control_matrix(control(Control::quaternion_bit, {}))[0]));
}

Matrix random_matrix(SplitMix64& random) {
  Matrix m{};
  for (float& v : m) v = static_cast<float>(random.symmetric());
  for (const std::size_t diagonal : {0, 5, 10}) m[diagonal] += 3;  // far from singular
  return m;
}

TEST(Matrices, ConcatenationIsTheProductWithinFourSteps) {
  SplitMix64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const Matrix a = random_matrix(random), b = random_matrix(random);
    expect_near(concatenate(a, b), widened(a) * widened(b), 4 * 0x1p-24 * 16);
  }
}

TEST(Matrices, MultiplyAddsAreRoundedOnce) {
  // (1 + e)(1 - e) - 1 = -e^2 exactly; a product rounded by itself would give 0.
  const float e = 0x1p-13F;
  const Matrix m =
      concatenate({1, 1 + e, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {-1, 0, 0, 0, 1 - e, 1, 0, 0, 0, 0, 1, 0});
  EXPECT_EQ(m[0], -e * e);
}

TEST(Matrices, AnInverseUndoesItsMatrix) {
  SplitMix64 random(4);
  for (int i = 0; i < 1000; ++i) {
    const Matrix m = random_matrix(random);
    const Wide product = widened(m) * widened(inverse(m));
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(product[r][c], unit()[r][c], 2e-6);
  }
}

TEST(Matrices, TheInverseOfASingularMatrixIsTheIdentity) {
  EXPECT_EQ(inverse({}), identity_matrix);
  EXPECT_EQ(inverse({1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 0, 7}), identity_matrix);
}

/// Bones at their places, all with inheritance 1 and no control.
Act bones(std::size_t count) {
  Act act;
  act.at = 0x100;
  for (std::size_t i = 0; i < count; ++i) {
    Bone& bone = act.bones.emplace_back();
    bone.at = static_cast<std::uint32_t>(act.at + 0x20 + 0x1C * i);
    bone.id = static_cast<std::uint16_t>(i);
  }
  act.bone_count = static_cast<std::uint16_t>(count);
  return act;
}

void hang(Act& act, std::size_t child, std::size_t parent) {
  act.bones[child].parent = act.bones[parent].at - act.at;
}

/// Gives the bone a control; in ascending order of bones.
void rest(Act& act, std::size_t bone, Control control) {
  control.at = static_cast<std::uint32_t>(0x10000 + 0x34 * bone);
  act.bones[bone].control_pointer = control.at - act.at;
  act.controls.push_back(control);
}

Control moved_by(float x, float y, float z) {
  return control(Control::translation_bit, {0, 0, 0, 0, 0, 0, 0, x, y, z, 0, 0});
}
Control turned_about_z(float degrees) {
  return control(Control::euler_bit, {0, 0, 0, 0, 0, degrees, 0, 0, 0, 0, 0, 0});
}

std::vector<Matrix> skin(const Act& act, const std::vector<BoneControl>& controls = {}) {
  Skeleton skeleton(act);
  std::vector<Matrix> matrices(skeleton.bones());
  skeleton.skin_matrices(controls, matrices);
  return matrices;
}

Matrix at(float x, float y, float z) {
  return {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z};
}

TEST(Skeleton, AnAnimationControlFollowsTheOrientation) {
  Act act = bones(2);
  hang(act, 1, 0);
  rest(act, 0, turned_about_z(90));
  rest(act, 1, moved_by(0, 2, 0));
  // Bone 1 moved by 1 along its own x, which its parent has turned to y.
  const auto matrices = skin(act, {{}, {moved_by(1, 0, 0), false}});
  expect_near(matrices[0], unit(), 1e-7);
  expect_near(matrices[1], widened(at(0, 1, 0)), 1e-6);
}

TEST(Skeleton, AReplacingTrackLeavesTheOrientationOut) {
  Act act = bones(1);
  rest(act, 0, moved_by(0, 2, 0));
  EXPECT_EQ(skin(act, {{moved_by(1, 0, 0), false}})[0], at(1, 0, 0));
  EXPECT_EQ(skin(act, {{moved_by(1, 0, 0), true}})[0], at(1, -2, 0));
  EXPECT_EQ(skin(act, {{{}, true}})[0], identity_matrix) << "no control of its own, nothing to replace with";
}

TEST(Skeleton, ChildrenFollowUnlessTheFlagSaysWorld) {
  Act act = bones(3);
  hang(act, 1, 0);
  hang(act, 2, 0);
  act.bones[2].inheritance = 0;
  const auto matrices = skin(act, {{moved_by(1, 0, 0), false}, {}, {}});
  EXPECT_EQ(matrices[1], at(1, 0, 0));
  EXPECT_EQ(matrices[2], identity_matrix);
}

TEST(Skeleton, ParentsMayComeAfterTheirChildren) {
  Act act = bones(3);
  hang(act, 0, 2);
  hang(act, 2, 1);
  const auto matrices = skin(act, {{}, {moved_by(1, 0, 0), false}, {moved_by(0, 1, 0), false}});
  EXPECT_EQ(matrices[0], at(1, 1, 0));
}

TEST(Skeleton, SeveralRootsStandEachForItself) {
  Act act = bones(4);
  hang(act, 1, 0);
  hang(act, 3, 2);
  const auto matrices = skin(act, {{moved_by(1, 0, 0), false}, {}, {moved_by(0, 5, 0), false}, {}});
  EXPECT_EQ(matrices[1], at(1, 0, 0));
  EXPECT_EQ(matrices[3], at(0, 5, 0));
}

TEST(Skeleton, AChainOf255BonesAddsUp) {
  Act act = bones(255);
  for (std::size_t i = 1; i < 255; ++i) hang(act, i, i - 1);
  std::vector<BoneControl> controls(255, {moved_by(1, 0, 0), false});
  EXPECT_EQ(skin(act, controls)[254], at(255, 0, 0));
}

TEST(Skeleton, AChainOf65535BonesIsNoDeepRecursion) {
  Act act = bones(65535);
  for (std::size_t i = 1; i < 65535; ++i) hang(act, i, i - 1);
  EXPECT_EQ(skin(act)[65534], identity_matrix);
}

TEST(Skeleton, CirclesKeepTheIdentity) {
  Act act = bones(5);
  hang(act, 0, 0);  // its own parent
  hang(act, 1, 2);
  hang(act, 2, 1);
  hang(act, 3, 2);  // hangs on the circle
  std::vector<BoneControl> controls(5, {moved_by(1, 0, 0), false});
  const auto matrices = skin(act, controls);
  for (std::size_t bone = 0; bone < 4; ++bone) EXPECT_EQ(matrices[bone], identity_matrix) << bone;
  EXPECT_EQ(matrices[4], at(1, 0, 0));
}

TEST(Skeleton, AForeignParentIsNone) {
  Act act = bones(2);
  for (const std::uint32_t pointer : {1U, 0x1FU, 0x21U, 0x20U + 2 * 0x1CU, 0xFFFFFFFFU}) {
    act.bones[1].parent = pointer;
    EXPECT_EQ(skin(act, {{moved_by(1, 0, 0), false}, {}})[1], identity_matrix) << pointer;
  }
}

TEST(Skeleton, NoBonesMakeNoMatrices) {
  EXPECT_TRUE(skin(Act{}).empty());
}

UserData tracks(std::vector<std::uint16_t> ids) {
  UserData user;
  user.kind = UserData::tracks_kind;
  user.data = std::move(ids);
  return user;
}

TEST(BoneTracks, ComeFromUserDataOfKind3) {
  Act act = bones(3);
  act.user_data.push_back(tracks({7, no_track, 7}));
  EXPECT_EQ(bone_tracks(act), (std::vector<std::uint16_t>{7, no_track, 7}));
}

TEST(BoneTracks, AreTheBonesNumbersWithoutIt) {
  EXPECT_EQ(bone_tracks(bones(3)), (std::vector<std::uint16_t>{0, 1, 2}));
  Act act = bones(2);
  act.user_data.push_back(tracks({5}));
  act.user_data[0].kind = 9;
  EXPECT_EQ(bone_tracks(act), (std::vector<std::uint16_t>{0, 1}));
}

TEST(BoneTracks, OfTheWrongLengthAreCutOrFilledWithNone) {
  Act act = bones(2);
  act.user_data.push_back(tracks({5}));
  EXPECT_EQ(bone_tracks(act), (std::vector<std::uint16_t>{5, no_track}));
  act.user_data[0] = tracks({5, 6, 7});
  EXPECT_EQ(bone_tracks(act), (std::vector<std::uint16_t>{5, 6}));
}

}  // namespace
}  // namespace lockline::emu
