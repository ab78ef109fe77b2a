#include "formats/anm.hpp"

#include <cmath>
#include <set>

#include "corpus/animation.hpp"
#include "corpus/bundled.hpp"
#include "formats/structure_map.hpp"
#include "mutator.hpp"

namespace lockline::tests {
namespace {

constexpr std::size_t header = 0x18, sequence_at = header, track_at = 0x30, key_at = 0x50, data_at = 0x70;

struct TrackKind {
  std::uint8_t quantization, type, interpolation;
};

/// One sequence "a" with one track of two keys; both keys' settings at data_at, their control data 0x40
/// later.
Data one_track(TrackKind kind) {
  Data data(0x100);
  poke(data, 0x00, std::uint32_t{1});
  poke(data, 0x04, std::uint32_t{sequence_at});
  poke(data, 0x08, std::uint16_t{7});
  poke(data, 0x0A, std::uint16_t{1});
  poke(data, 0x0C, std::uint16_t{1});
  poke(data, 0x0E, std::uint16_t{2});
  poke(data, sequence_at, std::uint32_t{0x28});
  data[0x28] = 'a';
  poke(data, sequence_at + 4, std::uint32_t{track_at});
  poke(data, sequence_at + 8, std::uint16_t{1});
  poke(data, track_at, 30.0F);
  poke(data, track_at + 4, std::uint32_t{key_at});
  poke(data, track_at + 8, std::uint16_t{2});
  poke(data, track_at + 10, std::uint16_t{5});
  poke(data, track_at + 12, kind.quantization);
  poke(data, track_at + 13, kind.type);
  poke(data, track_at + 14, kind.interpolation);
  for (std::size_t k = 0; k < 2; ++k) {
    poke(data, key_at + 12 * k, static_cast<float>(15 * k));
    poke(data, key_at + 12 * k + 4, std::uint32_t{data_at});
    poke(data, key_at + 12 * k + 8, std::uint32_t{data_at + 0x40});
  }
  return data;
}

std::string all_problems(const Anm& anm) {
  std::string text;
  for (const Error& error : anm.problems) text += to_string(error) + "\n";
  return text;
}

const Error* anm_problem(const Anm& anm, const std::string& structure) {
  const auto found = std::ranges::find(anm.problems, structure, &Error::structure);
  return found == anm.problems.end() ? nullptr : &*found;
}

/// The bank, which must parse, come back unchanged, and be covered by its map.
Anm parsed_anm(const Data& data) {
  const auto anm = parse_anm(data);
  if (!anm) {
    ADD_FAILURE() << to_string(anm.error());
    return {};
  }
  EXPECT_EQ(serialize(*anm), data);
  return *anm;
}

/// What every input must survive.
void check(const Data& data) {
  const auto anm = parse_anm(data);
  if (!anm) {
    ASSERT_FALSE(anm.error().message.empty());
    return;
  }
  ASSERT_EQ(serialize(*anm), data);
  for (const AnmSequence& sequence : anm->sequences) {
    for (const AnmTrack& track : sequence.tracks) {
      for (const AnmKeyframe& key : track.keyframes) {
        key_values(track, key);
        key_controls(track, key);
      }
    }
  }
  const StructureMap map(*anm);
  std::uint32_t covered = 0;
  for (const StructureRange& range : map.ranges()) {
    ASSERT_LE(range.begin, covered);
    covered = std::max(covered, range.end);
  }
  ASSERT_EQ(covered, anm->size);
}

std::vector<Data> bundled_banks() {
  std::vector<Data> banks;
  for (const char* name : {"plain-body", "small-body", "luigi-shape"})
    banks.push_back(serialize(corpus::build_animation(*corpus::find(name))));
  return banks;
}

TEST(Anm, FieldsOfOneTrack) {
  const Anm anm = parsed_anm(one_track({0x38, 0x01, 0x01}));
  EXPECT_EQ(all_problems(anm), "");
  EXPECT_EQ(anm.bank_id, 7);
  EXPECT_EQ(anm.track_total, 1);
  EXPECT_EQ(anm.keyframe_total, 2);
  ASSERT_EQ(anm.sequences.size(), 1U);
  EXPECT_EQ(anm.sequences[0].name->text, "a");
  const AnmTrack& track = anm.sequences[0].tracks.at(0);
  EXPECT_EQ(track.length, 30);
  EXPECT_EQ(track.id, 5);
  EXPECT_EQ(track.quantization.raw, 0x38);
  EXPECT_EQ(track.translation_kind(), Interpolation::linear);
  EXPECT_EQ(track.scale_kind(), Interpolation::step);
  ASSERT_EQ(track.keyframes.size(), 2U);
  EXPECT_EQ(track.keyframes[1].time, 15);
  EXPECT_EQ(track.keyframes[1].at, key_at + 12);
}

TEST(Anm, ValuesByQuantizationFormat) {
  Data data = one_track({0, AnmTrack::translation_bit, 0});
  const auto translation = [&](std::uint8_t quantization) {
    data[track_at + 12] = quantization;
    const Anm anm = parsed_anm(data);
    EXPECT_EQ(all_problems(anm), "");
    const AnmTrack& track = anm.sequences[0].tracks[0];
    return *key_values(track, track.keyframes[0]).translation;
  };
  using Three = std::array<float, 3>;
  const std::array<std::uint8_t, 6> raw{0xFF, 0x80, 0x7F, 0x01, 0x80, 0x00};
  std::copy(raw.begin(), raw.end(), data.begin() + data_at);
  EXPECT_EQ(translation(0x00), (Three{255, 128, 127}));
  EXPECT_EQ(translation(0x02), (Three{63.75F, 32, 31.75F}));
  EXPECT_EQ(translation(0x11), (Three{-0.5F, -64, 63.5F}));
  EXPECT_EQ(translation(0x20), (Three{65408, 32513, 32768}));
  EXPECT_EQ(translation(0x3F), (Three{-128 / 32768.0F, 32513 / 32768.0F, -1}));
  for (int i = 0; i < 3; ++i) poke(data, data_at + 4 * i, 1.5F * static_cast<float>(i - 1));
  EXPECT_EQ(translation(0x40), (Three{-1.5F, 0, 1.5F}));
  EXPECT_EQ(translation(0x43), (Three{-0.1875F, 0, 0.1875F}));
}

TEST(Anm, PartsFollowOneAnotherAndQuaternionsAreAlwaysS16) {
  using Three = std::array<float, 3>;
  Data data = one_track({0x01, AnmTrack::scale_bit | AnmTrack::quaternion_bit | AnmTrack::translation_bit,
                         3 | 2 << 2 | 5 << 4});
  const std::array<std::uint8_t, 14> raw{2, 4, 6, 0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x00, 0x01, 8, 10, 12};
  std::copy(raw.begin(), raw.end(), data.begin() + data_at);
  // Scale: Bezier in, out. Quaternion: SQUAD with ease. Translation: Hermite.
  for (std::uint8_t i = 0; i < 64; ++i) data[data_at + 0x40 + i] = i;
  const Anm anm = parsed_anm(data);
  EXPECT_EQ(all_problems(anm), "");
  const AnmTrack& track = anm.sequences[0].tracks[0];
  const KeyValues values = key_values(track, track.keyframes[1]);
  EXPECT_EQ(values.scale, (Three{1, 2, 3}));
  EXPECT_EQ(values.quaternion, (std::array<float, 4>{1, -1, 0.5F, 1 / 16384.0F}));
  EXPECT_EQ(values.translation, (Three{4, 5, 6}));
  EXPECT_FALSE(values.euler || values.matrix);
  ASSERT_EQ(track.keyframes[0].interpolation.size(), 6U + 10 + 8);
  const KeyControls controls = key_controls(track, track.keyframes[0]);
  EXPECT_EQ(controls.scale.in, (std::array<float, 4>{0, 0.5F, 1, 0}));
  EXPECT_EQ(controls.scale.out, (std::array<float, 4>{1.5F, 2, 2.5F, 0}));
  EXPECT_EQ(controls.scale.ease_in, 0);
  EXPECT_EQ(controls.rotation.in[0], 0x0607 / 16384.0F);
  EXPECT_EQ(controls.rotation.out[3], 0x1415 / 16384.0F);
  EXPECT_EQ(controls.rotation.ease_in, 0x1617 / 16384.0F);
  EXPECT_EQ(controls.rotation.ease_out, 0x1819 / 16384.0F);
  EXPECT_EQ(controls.translation.in, (std::array<float, 4>{13, 13.5F, 14, 0}));
  EXPECT_EQ(controls.translation.out[2], 31 / 2.0F);
  EXPECT_EQ(controls.translation.ease_in, 0x2021 / 16384.0F);
  EXPECT_EQ(controls.translation.ease_out, 0x2223 / 16384.0F);
}

TEST(Anm, ControlDataOfEveryKind) {
  constexpr std::array<std::size_t, 7> euler{0, 0, 6, 8, 0, 0, 0}, quaternion{0, 0, 8, 10, 8, 10, 0};
  for (std::uint8_t kind = 0; kind < 7; ++kind) {
    const auto numbers = [&](std::uint8_t type) {
      const Anm anm = parsed_anm(one_track({0x30, type, static_cast<std::uint8_t>(kind << 4)}));
      const bool unknown = type == AnmTrack::euler_bit && (kind == 4 || kind == 5);
      EXPECT_EQ(anm.problems.size(), unknown ? 1U : 0U) << int{kind} << all_problems(anm);
      return anm.sequences[0].tracks[0].keyframes[0].interpolation.size();
    };
    EXPECT_EQ(numbers(AnmTrack::euler_bit), euler[kind]) << int{kind};
    EXPECT_EQ(numbers(AnmTrack::quaternion_bit), quaternion[kind]) << int{kind};
  }
}

TEST(Anm, AMatrixIsTwelveFloatsWithoutControlData) {
  Data data = one_track({0xF0, AnmTrack::matrix_bit | AnmTrack::scale_bit, 0x7F});
  for (std::size_t i = 0; i < 12; ++i) poke(data, data_at + 4 * i, static_cast<float>(i));
  const Anm anm = parsed_anm(data);
  EXPECT_EQ(all_problems(anm), "");
  const AnmTrack& track = anm.sequences[0].tracks[0];
  const KeyValues values = key_values(track, track.keyframes[0]);
  ASSERT_TRUE(values.matrix);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ((*values.matrix)[i], static_cast<float>(i));
  EXPECT_FALSE(values.scale);
  EXPECT_TRUE(track.keyframes[0].interpolation.empty());
}

TEST(Anm, WhatCannotBeLaidOutIsAProblemOfTheTrack) {
  const auto trouble = [](TrackKind kind) {
    const Anm anm = parsed_anm(one_track(kind));
    const Error* problem = anm_problem(anm, "ANM / sequence 0 / track 0");
    return problem == nullptr ? std::string() : std::string(name(problem->code));
  };
  EXPECT_EQ(trouble({0x4F, 0x01, 0}), "");
  EXPECT_EQ(trouble({0x50, 0x01, 0}), "bad-value");
  EXPECT_EQ(trouble({0x50, AnmTrack::quaternion_bit, 0}), "");
  EXPECT_EQ(trouble({0x30, 0x0C, 0}), "bad-value");
  EXPECT_EQ(trouble({0x30, 0x20, 0}), "bad-value");
  EXPECT_EQ(trouble({0x30, AnmTrack::quaternion_bit, 0x60}), "");
  EXPECT_EQ(trouble({0x30, AnmTrack::quaternion_bit, 0x70}), "bad-value");
  EXPECT_EQ(trouble({0x30, 0x01, 0x70}), "");
  EXPECT_EQ(trouble({0x30, 0x00, 0x00}), "");
}

TEST(Anm, NumbersUpToTheEndAndOnePast) {
  Data data = one_track({0x30, 0x01, 0x03});  // 6 bytes of setting, 16 of control data
  poke(data, key_at + 12 + 4, std::uint32_t{0x100 - 6});
  poke(data, key_at + 12 + 8, std::uint32_t{0x100 - 16});
  EXPECT_EQ(all_problems(parsed_anm(data)), "");
  poke(data, key_at + 12 + 4, std::uint32_t{0x100 - 5});
  poke(data, key_at + 12 + 8, std::uint32_t{0x100 - 15});
  const Anm anm = parsed_anm(data);
  const Error* setting = anm_problem(anm, "ANM / sequence 0 / track 0 / key 1 / setting");
  ASSERT_NE(setting, nullptr);
  EXPECT_EQ(setting->code, ErrorCode::truncated);
  EXPECT_EQ(setting->offset, 0x100U - 5);
  ASSERT_NE(anm_problem(anm, "ANM / sequence 0 / track 0 / key 1 / interpolation"), nullptr);
  EXPECT_EQ(anm.problems.size(), 2U);
  const AnmTrack& track = anm.sequences[0].tracks[0];
  EXPECT_EQ(key_values(track, track.keyframes[1]).translation, (std::array<float, 3>{0, 0, 0}));
}

TEST(Anm, NullPointersLeadNowhere) {
  Data data = one_track({0x30, 0x01, 0x03});
  poke(data, key_at + 4, std::uint32_t{0});
  poke(data, key_at + 8, std::uint32_t{0});
  poke(data, sequence_at, std::uint32_t{0});
  const Anm anm = parsed_anm(data);
  EXPECT_FALSE(anm.sequences[0].name);
  ASSERT_EQ(anm.problems.size(), 2U);
  EXPECT_EQ(anm.problems[0].code, ErrorCode::missing);
  EXPECT_EQ(anm.problems[1].structure, "ANM / sequence 0 / track 0 / key 0 / interpolation");
}

TEST(Anm, TablesUpToTheEndAndOnePast) {
  Data data = one_track({0x30, 0, 0});
  poke(data, track_at + 4, std::uint32_t{0x100 - 24});
  EXPECT_EQ(all_problems(parsed_anm(data)), "");
  poke(data, track_at + 4, std::uint32_t{0x100 - 23});
  const Anm keys = parsed_anm(data);
  EXPECT_EQ(keys.sequences[0].tracks[0].keyframes.size(), 1U);
  ASSERT_NE(anm_problem(keys, "ANM / sequence 0 / track 0 / key 1"), nullptr);
  poke(data, sequence_at + 4, std::uint32_t{0x100 - 15});
  const Anm tracks = parsed_anm(data);
  EXPECT_TRUE(tracks.sequences[0].tracks.empty());
  EXPECT_EQ(tracks.problems.at(0).structure, "ANM / sequence 0 / track 0");
}

TEST(Anm, FilesThatAreNoBank) {
  const auto code = [](const Data& data) {
    const auto anm = parse_anm(data);
    return anm ? "" : std::string(name(anm.error().code));
  };
  EXPECT_EQ(code({}), "truncated");
  EXPECT_EQ(code(Data(0x17)), "truncated");
  EXPECT_EQ(code(Data(0x18)), "missing");
  EXPECT_EQ(code(vector_block("canonical_small")), "bad-magic");
  Data data = one_track({0x30, 1, 0});
  const auto sequences_at = [&](std::uint32_t pointer) { return code(poke(data, 4, pointer)); };
  EXPECT_EQ(sequences_at(0x17), "out-of-bounds");
  EXPECT_EQ(sequences_at(0x18), "");
  EXPECT_EQ(sequences_at(0x100 - 12), "");
  EXPECT_EQ(sequences_at(0x100 - 11), "out-of-bounds");
  EXPECT_EQ(sequences_at(0xFFFFFFFF), "out-of-bounds");
  data = one_track({0x30, 1, 0});
  data.resize(max_anm_bytes);
  EXPECT_EQ(code(data), "");
  data.push_back(0);
  EXPECT_EQ(code(data), "too-large");
}

TEST(Anm, WildCountsStayWithinTheBudget) {
  // 1,000 sequences that share 1,000 tracks that share 1,000 keys: 10^9 keys if followed.
  Data data(0x18 + 12 * 1000 + 16 * 1000 + 12 * 1000 + 64);
  const std::uint32_t tracks = 0x18 + 12 * 1000, keys = tracks + 16 * 1000;
  poke(data, 4, std::uint32_t{0x18});
  poke(data, 10, std::uint16_t{1000});
  for (std::uint32_t i = 0; i < 1000; ++i) {
    poke(data, 0x18 + 12 * i + 4, tracks);
    poke(data, 0x18 + 12 * i + 8, std::uint16_t{1000});
    poke(data, tracks + 16 * i + 4, keys);
    poke(data, tracks + 16 * i + 8, std::uint16_t{1000});
  }
  const Anm anm = parsed_anm(data);
  std::size_t decoded = 0;
  for (const AnmSequence& sequence : anm.sequences) {
    for (const AnmTrack& track : sequence.tracks) decoded += 1 + track.keyframes.size();
  }
  EXPECT_LT(decoded * sizeof(AnmKeyframe), 50 * data.size());
  EXPECT_GT(std::ranges::count(anm.problems, ErrorCode::too_large, &Error::code), 0);
}

TEST(Anm, OneTrackOfTheMostKeysThatShareTheirDataIsRead) {
  constexpr std::uint32_t keys = 0xFFFF;
  Data data = one_track({0x07, AnmTrack::scale_bit | AnmTrack::quaternion_bit | AnmTrack::translation_bit,
                         3 | 3 << 2 | 5 << 4});
  const std::uint32_t at = 0x100;
  data.resize(at + 12 * keys);
  poke(data, track_at + 4, at);
  poke(data, track_at + 8, std::uint16_t{keys});
  for (std::uint32_t k = 0; k < keys; ++k) {
    poke(data, at + 12 * k + 4, std::uint32_t{data_at});
    poke(data, at + 12 * k + 8, std::uint32_t{data_at + 0x40});
  }
  const Anm anm = parsed_anm(data);
  EXPECT_EQ(all_problems(anm), "");
  const AnmTrack& track = anm.sequences[0].tracks[0];
  ASSERT_EQ(track.keyframes.size(), keys);
  EXPECT_EQ(track.keyframes.back().setting.size(), 10U);
  EXPECT_EQ(track.keyframes.back().interpolation.size(), 8U + 10 + 8);
}

TEST(Anm, NumbersOutsideTheirTypeAreClampedWhenWritten) {
  Anm anm = parsed_anm(one_track({0x00, 0x01, 0}));
  AnmTrack& track = anm.sequences[0].tracks[0];
  track.keyframes.pop_back();
  track.keyframes[0].setting = {-1, 256, std::nanf("")};
  const Data data = serialize(anm);
  EXPECT_EQ(data[data_at], 0);
  EXPECT_EQ(data[data_at + 1], 255);
  EXPECT_EQ(data[data_at + 2], 0);
}

TEST(Anm, FloatsKeepTheirBits) {
  Data data = one_track({0x40, 0x01, 0});
  for (const std::uint32_t bits : {0x7F800001U, 0xFFFFFFFFU, 0x80000000U, 0x00000001U}) {
    poke(data, data_at, bits);
    poke(data, track_at, bits);
    parsed_anm(data);
  }
}

TEST(Anm, EveryTruncationOfABank) {
  const Data bank = bundled_banks()[1];
  for (std::size_t length = 0; length < bank.size(); ++length) {
    const Data cut(bank.begin(), bank.begin() + static_cast<std::ptrdiff_t>(length));
    ASSERT_NO_FATAL_FAILURE(check(cut)) << length;
  }
}

TEST(Anm, BundledBanksHaveNoProblems) {
  for (const Data& bank : bundled_banks()) {
    const Anm anm = parsed_anm(bank);
    EXPECT_EQ(all_problems(anm), "");
    ASSERT_NO_FATAL_FAILURE(check(bank));
  }
}

TEST(Anm, TheMapNamesEveryStructure) {
  const StructureMap map(parsed_anm(one_track({0x30, 0x01, 0x03})));
  EXPECT_EQ(map.describe(0, 1), "ANM / header");
  EXPECT_EQ(map.describe(sequence_at, sequence_at + 1), "ANM / sequence 0");
  EXPECT_EQ(map.describe(0x28, 0x2A), "ANM / sequence 0 / name");
  EXPECT_EQ(map.describe(0x2A, 0x2B), "gap");
  EXPECT_EQ(map.describe(track_at, track_at + 1), "ANM / sequence 0 / track 0");
  EXPECT_EQ(map.describe(key_at + 12, key_at + 13), "ANM / sequence 0 / track 0 / key 1");
  EXPECT_EQ(map.describe(data_at + 5, data_at + 6),
            "ANM / sequence 0 / track 0 / key 0 / setting and ANM / sequence 0 / track 0 / key 1 / setting");
  EXPECT_EQ(map.describe(data_at + 6, data_at + 7), "gap");
}

TEST(Mutation, RandomDamageToAnimationBanks) {
  damage(bundled_banks(), check);
}

TEST(Mutation, EveryByteOfASmallBank) {
  Data data = one_track({0x31, 0x0B, 3 | 2 << 2 | 5 << 4});
  for (std::size_t at = 0; at < data.size(); ++at) {
    const std::uint8_t original = data[at];
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      data[at] = static_cast<std::uint8_t>(value);
      ASSERT_NO_FATAL_FAILURE(check(data)) << at << " = " << value;
    }
    data[at] = original;
  }
}

}  // namespace
}  // namespace lockline::tests
