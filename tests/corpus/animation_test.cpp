#include "corpus/animation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"

namespace lockline::corpus {
namespace {

/// What the tracks of a bank use.
struct Uses {
  std::set<int> types, formats, quaternion_kinds, euler_kinds, translation_kinds, scale_kinds, key_counts;
  std::set<float> lengths;
  bool replaces = false, shared = false;
};

Uses uses_of(const Anm& anm) {
  Uses uses;
  for (const AnmSequence& sequence : anm.sequences) {
    for (const AnmTrack& track : sequence.tracks) {
      uses.types.insert(track.type);
      const bool matrix = track.has(AnmTrack::matrix_bit), quaternion = track.has(AnmTrack::quaternion_bit);
      const auto rotation = static_cast<int>(track.rotation_kind());
      if (quaternion) uses.quaternion_kinds.insert(rotation);
      if (track.has(AnmTrack::euler_bit)) uses.euler_kinds.insert(rotation);
      if (track.has(AnmTrack::scale_bit)) uses.scale_kinds.insert(static_cast<int>(track.scale_kind()));
      if (track.has(AnmTrack::translation_bit))
        uses.translation_kinds.insert(static_cast<int>(track.translation_kind()));
      if (!matrix && track.type != AnmTrack::quaternion_bit) uses.formats.insert(track.quantization.format());
      uses.key_counts.insert(track.keyframe_count);
      uses.lengths.insert(track.length);
      uses.replaces |= track.replace_hierarchy != 0;
      const AnmKeyframe &first = track.keyframes.front(), &last = track.keyframes.back();
      uses.shared |= &first != &last && first.setting_pointer == last.setting_pointer;
    }
  }
  return uses;
}

TEST(Animation, UsesEverythingABankCanHold) {
  const auto recipe = find("plain-body");
  ASSERT_TRUE(recipe);
  const Uses uses = uses_of(build_animation(*recipe));
  EXPECT_EQ(uses.types.size(), 11U);
  EXPECT_EQ(uses.formats, (std::set{0, 1, 2, 3, 4}));
  EXPECT_EQ(uses.quaternion_kinds, (std::set{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(uses.euler_kinds, (std::set{0, 1, 2, 3}));
  EXPECT_EQ(uses.scale_kinds, (std::set{0, 1, 2, 3}));
  EXPECT_EQ(uses.translation_kinds, (std::set{0, 1, 2, 3}));
  EXPECT_TRUE(uses.key_counts.contains(1));
  EXPECT_GT(uses.key_counts.size(), 3U);
  EXPECT_GT(uses.lengths.size(), 5U);
  EXPECT_TRUE(uses.replaces);
  EXPECT_TRUE(uses.shared);
}

TEST(Animation, EveryBundledBankReadsBackAsBuilt) {
  for (const Recipe& recipe : bundled()) {
    SCOPED_TRACE(recipe.name);
    const Anm anm = build_animation(recipe);
    const auto bytes = serialize(anm);
    const auto read = parse_anm(bytes);
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_TRUE(read->problems.empty());
    EXPECT_EQ(serialize(*read), bytes);
    ASSERT_EQ(read->sequences.size(), 7U);
    EXPECT_EQ(read->sequences[1].name->text, "swing");
    for (std::size_t s = 0; s < 7; ++s) {
      ASSERT_EQ(read->sequences[s].tracks.size(), anm.sequences[s].tracks.size());
      for (std::size_t t = 0; t < anm.sequences[s].tracks.size(); ++t) {
        const AnmTrack &a = anm.sequences[s].tracks[t], &b = read->sequences[s].tracks[t];
        ASSERT_EQ(a.keyframes.size(), b.keyframes.size());
        for (std::size_t k = 0; k < a.keyframes.size(); ++k) {
          EXPECT_EQ(a.keyframes[k].setting, b.keyframes[k].setting);
          EXPECT_EQ(a.keyframes[k].interpolation, b.keyframes[k].interpolation);
        }
      }
    }
  }
}

TEST(Animation, TracksAreThoseOfTheSkeletonsTable) {
  const auto recipe = find("plain-body");
  ASSERT_TRUE(recipe);
  const auto block = parse_block(*build_bytes(*recipe));
  ASSERT_TRUE(block);
  const auto& ids = std::get<std::vector<std::uint16_t>>(block->act->user_data.at(0).data);
  EXPECT_EQ(serialize(build_animation(ids, recipe->seed)), serialize(build_animation(*recipe)));
  std::size_t missing = 0;
  for (const AnmSequence& sequence : build_animation(*recipe).sequences) {
    std::set<std::uint16_t> seen;
    for (const AnmTrack& track : sequence.tracks) {
      EXPECT_TRUE(seen.insert(track.id).second);
      EXPECT_NE(std::find(ids.begin(), ids.end(), track.id), ids.end());
      EXPECT_NE(track.id, 0xFFFF);
    }
    missing += ids.size() - 1 - seen.size();
  }
  EXPECT_GT(missing, 0U);
}

TEST(Animation, MovementsAreSmall) {
  const Anm anm = build_animation(*find("plain-body"));
  for (const AnmSequence& sequence : anm.sequences) {
    for (const AnmTrack& track : sequence.tracks) {
      EXPECT_GE(track.length, 7);
      EXPECT_LE(track.length, 60);
      EXPECT_LT(track.keyframes.back().time, track.length);
      for (const AnmKeyframe& key : track.keyframes) {
        const KeyValues values = key_values(track, key);
        for (const float v : values.scale.value_or(std::array<float, 3>{1, 1, 1})) EXPECT_NEAR(v, 1, 0.26);
        for (const float v : values.euler.value_or(std::array<float, 3>{})) EXPECT_LE(std::abs(v), 30.25F);
        for (const float v : values.translation.value_or(std::array<float, 3>{}))
          EXPECT_LE(std::abs(v), 0.26F);
        if (!values.quaternion) continue;
        float square = 0;
        for (const float v : *values.quaternion) square += v * v;
        EXPECT_NEAR(square, 1, 1e-3);
        EXPECT_GT((*values.quaternion)[3], 0.96F);
      }
    }
  }
}

TEST(Animation, AnotherSeedAnotherBank) {
  const std::vector<std::uint16_t> ids{0, 1, 0xFFFF, 3};
  EXPECT_EQ(serialize(build_animation(ids, 5)), serialize(build_animation(ids, 5)));
  EXPECT_NE(serialize(build_animation(ids, 5)), serialize(build_animation(ids, 6)));
  EXPECT_EQ(build_animation({}, 1).track_total, 0);
}

}  // namespace
}  // namespace lockline::corpus
