#include "harness/poses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "corpus/animation.hpp"
#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "emu/bones.hpp"
#include "harness/check.hpp"

namespace lockline::harness {
namespace {

struct Model {
  std::vector<std::uint8_t> bytes;
  Block block;
};

Model model(const corpus::Recipe& recipe) {
  Model m{corpus::build_bytes(recipe).value(), {}};
  m.block = parse_block(m.bytes).value();
  return m;
}

PoseSource animated(const corpus::Recipe& recipe, std::uint32_t sequence, float speed = 1) {
  PoseSource source;
  source.animation = {std::make_shared<const Anm>(corpus::build_animation(recipe)), sequence, speed};
  return source;
}

std::vector<Matrix> rest_matrices(const Block& block) {
  emu::Skeleton skeleton(*block.act);
  std::vector<Matrix> skin(skeleton.bones());
  skeleton.skin_matrices({}, skin);
  return skin;
}

/// Bones above a bone, bounded for circles.
std::size_t depth(const Act& act, std::size_t bone) {
  std::size_t above = 0;
  for (auto parent = act.bone_at(act.bones[bone].parent); parent && above < act.bones.size(); ++above)
    parent = act.bone_at(act.bones[*parent].parent);
  return above;
}

/// Each of the bones above, and the inverse, adds at most about four roundings of numbers up to 1 (turns) or
/// of the size of the chain (translations of a quarter unit per bone and axis).
TEST(RestPose, ThroughTheBonesIsTheIdentityToTheLastBits) {
  std::size_t models = 0;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    const Block block = model(recipe).block;
    if (!block.act) continue;
    ++models;
    const auto skin = rest_matrices(block);
    for (std::size_t bone = 0; bone < skin.size(); ++bone) {
      const auto bones = static_cast<double>(depth(*block.act, bone) + 1);
      for (std::size_t i = 0; i < 12; ++i) {
        const double size = i % 4 == 3 ? bones / 2 : 1;
        ASSERT_NEAR(skin[bone][i], emu::identity_matrix[i], 8 * 0x1p-24 * bones * size)
            << recipe.name << " bone " << bone << " element " << i;
      }
    }
  }
  EXPECT_GT(models, 90U);
}

/// Positions and normals of every slot that the rest pose and the identity leave apart by more than `steps`.
std::size_t apart(const Model& m, int steps) {
  const auto held_by = [&](const std::vector<Matrix>& palette) {
    auto machine = emu::Machine::load(m.bytes, m.block, {}).value();
    machine.frame(palette);
    return std::vector<std::uint8_t>(machine.block().begin(), machine.block().end());
  };
  const auto moved = held_by(rest_matrices(m.block)), still = held_by(rest_pose(m.block).matrices);
  const PositionArray& array = *m.block.skinned_positions();
  std::size_t out = 0;
  for (std::size_t i = 0; i < array.header.count * std::size_t{6}; ++i) {
    const auto value = [&](const auto& bytes) {
      return load_be<std::int16_t>(bytes.data() + array.data_at + 2 * i);
    };
    out += std::abs(value(moved) - value(still)) > steps ? 1 : 0;
  }
  return out;
}

/// A component just under a whole step is truncated to the step below: one step for the direct write, and one
/// for each SKAcc sum on top, at most three in the bundled models.
TEST(RestPose, ThroughTheBonesLeavesCleanModelsInPlace) {
  std::size_t models = 0;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    if (!recipe.expected.empty()) continue;
    const Model m = model(recipe);
    if (!m.block.act || !m.block.skn || m.block.skinned_positions() == nullptr) continue;
    ++models;
    EXPECT_EQ(apart(m, 2), 0U) << recipe.name;
  }
  EXPECT_GT(models, 15U);
}

TEST(PoseStream, PlaysASequenceOnceRound) {
  const corpus::Recipe recipe = corpus::find("luigi-shape").value();
  const Block block = model(recipe).block;
  const PoseSource source = animated(recipe, 1);
  auto poses = PoseStream::open(source, block).value();
  float longest = 0;
  for (const AnmTrack& track : source.animation->bank->sequences[1].tracks)
    longest = std::max(longest, track.length);
  EXPECT_EQ(poses.size(), static_cast<std::uint32_t>(std::ceil(longest)));
  EXPECT_EQ(poses.frames_per_pose(), 1U);
  EXPECT_EQ(poses.pose(12).name, "swing 12");
  EXPECT_EQ(poses.pose(12).matrices.size(), block.act->bones.size());
  EXPECT_FALSE(poses.pose(12).invented);
  const PoseSource half = animated(recipe, 1, 0.5F);
  EXPECT_EQ(PoseStream::open(half, block).value().size(), static_cast<std::uint32_t>(std::ceil(2 * longest)));
}

TEST(PoseStream, GivesTheSamePosesInAnyOrder) {
  const corpus::Recipe recipe = corpus::find("luigi-shape").value();
  const Block block = model(recipe).block;
  PoseSource source = animated(recipe, 2, 0.7F);
  source.faces = parse_face_script("*=talk").value();
  auto ascending = PoseStream::open(source, block).value(), other = PoseStream::open(source, block).value();
  for (std::uint32_t i = 0; i < ascending.size(); ++i) {
    const std::uint32_t number = ascending.size() - 1 - i;
    const auto from_above = other.pose(number).matrices;
    auto again = PoseStream::open(source, block).value();
    EXPECT_EQ(from_above, again.pose(number).matrices) << number;
    EXPECT_EQ(other.pose(number).name, again.pose(number).name);
  }
  EXPECT_EQ(ascending.pose(7).matrices, other.pose(7).matrices);
}

TEST(PoseStream, IsTheBonesOfTheTracksAtTheirTimes) {
  const corpus::Recipe recipe = corpus::find("plain-body").value();
  const Block block = model(recipe).block;
  const PoseSource source = animated(recipe, 0, 1.25F);
  auto poses = PoseStream::open(source, block).value();
  const AnmSequence& sequence = source.animation->bank->sequences[0];
  const auto ids = emu::bone_tracks(*block.act);
  for (std::uint32_t frame = 0; frame < poses.size(); ++frame) {
    std::vector<emu::BoneControl> controls(ids.size());
    for (std::size_t bone = 0; bone < ids.size(); ++bone) {
      for (const AnmTrack& track : sequence.tracks) {
        if (track.id != ids[bone]) continue;
        const auto time = static_cast<float>(std::fmod(1.25 * frame, double{track.length}));
        controls[bone] = {emu::TrackMotion(track).at(time), track.replace_hierarchy != 0};
      }
    }
    emu::Skeleton skeleton(*block.act);
    std::vector<Matrix> skin(skeleton.bones());
    skeleton.skin_matrices(controls, skin);
    EXPECT_EQ(poses.pose(frame).matrices, skin) << frame;
  }
}

TEST(PoseStream, APaletteStartsAgain) {
  PoseSource source;
  source.palette = Palette{2, 1, {emu::identity_matrix, Matrix{2}}};
  source.frames = 5;
  Block block;
  auto poses = PoseStream::open(source, block).value();
  EXPECT_EQ(poses.size(), 5U);
  EXPECT_EQ(poses.frames_per_pose(), 2U);
  EXPECT_EQ(poses.pose(3).matrices[0], Matrix{2});
  EXPECT_EQ(poses.pose(4).matrices[0], emu::identity_matrix);
  EXPECT_EQ(poses.pose(4).name, "palette 4");
}

TEST(PoseStream, RefusesWhatItCannotPlay) {
  const corpus::Recipe recipe = corpus::find("plain-body").value();
  Block block = model(recipe).block;
  const auto code = [&](const PoseSource& source) { return PoseStream::open(source, block).error().code; };
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(code(animated(recipe, 7)), ErrorCode::bad_value);
  for (const float speed : {0.0F, -1.0F, inf, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(code(animated(recipe, 0, speed)), ErrorCode::bad_value) << speed;
  EXPECT_EQ(code(animated(recipe, 0, 1e-30F)), ErrorCode::too_large);

  PoseSource source = animated(recipe, 0);
  source.frames = max_pose_frames;
  EXPECT_EQ(PoseStream::open(source, block).value().size(), max_pose_frames);
  source.frames = max_pose_frames + 1;
  EXPECT_EQ(code(source), ErrorCode::too_large);
  block.act->bone_count = 336;  // 2^25 / 336 = 99,864
  source.frames = 99'864;
  EXPECT_TRUE(PoseStream::open(source, block));
  source.frames = 99'865;
  EXPECT_EQ(code(source), ErrorCode::too_large);
  block.act.reset();
  EXPECT_EQ(code(animated(recipe, 0)), ErrorCode::missing);
}

AnmSequence lengths(std::vector<float> values) {
  AnmSequence sequence;
  for (const float v : values) sequence.tracks.emplace_back().length = v;
  return sequence;
}

TEST(FramesOnceRound, FollowTheLongestTrack) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(frames_once_round(lengths({8, 24, 9}), 1), 24U);
  EXPECT_EQ(frames_once_round(lengths({24.5F}), 1), 25U);
  EXPECT_EQ(frames_once_round(lengths({24}), 5), 5U);
  EXPECT_EQ(frames_once_round(lengths({}), 1), 1U);
  EXPECT_EQ(frames_once_round(lengths({0, -5, nan}), 1), 1U);
  EXPECT_EQ(frames_once_round(lengths({nan, 3}), 1), 3U);
  EXPECT_EQ(frames_once_round(lengths({inf}), 1), 0U);
  EXPECT_EQ(frames_once_round(lengths({3e38F}), 1e-30F), 0U);
}

TEST(FindSequence, ByNameThenByNumber) {
  const Anm bank = corpus::build_animation(corpus::find("plain-body").value());
  EXPECT_EQ(find_sequence(bank, "swing").value(), 1U);
  EXPECT_EQ(find_sequence(bank, "6").value(), 6U);
  for (const char* wanted : {"7", "swin", "", "1x", "-1", "99999999999"}) {
    const auto found = find_sequence(bank, wanted);
    ASSERT_FALSE(found) << wanted;
    EXPECT_NE(found.error().message.find("0 idle, 1 swing"), std::string::npos) << found.error().message;
  }
}

TEST(Check, NamesAnAnimationsFrames) {
  const corpus::Recipe recipe = corpus::find("shared-line").value();
  CheckOptions options;
  options.poses = animated(recipe, 1);
  options.poses.frames = 5;
  const auto report = check(model(recipe).bytes, options).value();
  EXPECT_EQ(report.poses, 5U);
  EXPECT_EQ(report.frames, 5U);
  bool named = false;
  for (const Finding& f : report.findings) named |= f.first && f.first->pose.starts_with("swing ");
  EXPECT_TRUE(named);
}

TEST(Check, CleanModelsStayCleanInEverySequence) {
  for (const char* name : {"plain-body", "face-body", "face-supplement", "small-body"}) {
    const corpus::Recipe recipe = corpus::find(name).value();
    for (std::uint32_t sequence = 0; sequence < 7; ++sequence) {
      CheckOptions options;
      options.poses = animated(recipe, sequence);
      options.poses.faces = parse_face_script("*=talk").value();
      const CheckReport report = check(model(recipe).bytes, options).value();
      for (const Finding& f : report.findings)
        EXPECT_EQ(f.severity, Severity::note) << name << " " << sequence << ": " << f.rule << " " << f.cause;
    }
  }
}

TEST(Check, WithoutBonesSaysWhyNothingWasRun) {
  const corpus::Recipe recipe = corpus::find("plain-body").value();
  auto bytes = model(recipe).bytes;
  store_be(bytes.data() + 8, std::uint32_t{0});
  CheckOptions options;
  options.poses = animated(recipe, 0);
  EXPECT_EQ(check(bytes, options).value().not_emulated,
            "the model has no bones that the animation could move");
}

}  // namespace
}  // namespace lockline::harness
