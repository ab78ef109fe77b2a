#include "harness/diff_match.hpp"

#include <gtest/gtest.h>

#include "formats/random.hpp"
#include "harness/diff_change.hpp"

namespace lockline::harness {
namespace {

using Weights = std::vector<VertexWeight>;

DiffVertex vertex(std::uint32_t slot, SkinVertex bind, Weights weights, bool drawn = true) {
  DiffVertex v;
  v.slot = slot;
  v.bind = bind;
  v.writes = weights;
  v.weights = std::move(weights);
  v.passes = 1;
  v.drawn = drawn;
  return v;
}

SkinVertex at(std::int16_t x, std::int16_t nz = 100) {
  return {x, 20, 30, 0, 0, nz};
}

const Weights one{{1, 256}}, other{{2, 256}}, both{{1, 100}, {2, 156}}, both_otherwise{{1, 101}, {2, 155}};

using Vertices = std::vector<DiffVertex>;

VertexMatches match(const Vertices& donor, const Vertices& patched, std::uint8_t donor_shift = 11,
                    std::uint8_t patched_shift = 11) {
  return match_vertices({donor, donor_shift}, {patched, patched_shift});
}

/// "0-2 bind": donor index, patched index, way.
std::string shown(const VertexMatches& matches) {
  constexpr std::array<const char*, 6> ways{"slot", "weights", "bones", "bind", "near-weights", "near"};
  std::string out;
  for (const VertexMatch& m : matches.pairs)
    out += std::to_string(m.donor) + "-" + std::to_string(m.patched) + " " +
           ways[static_cast<std::size_t>(m.by)] + "; ";
  return out;
}

TEST(Match, IsBySlotWhenTheLayoutIsTheSame) {
  const Vertices donor{vertex(0, at(1), one), vertex(1, at(2), both)};
  const Vertices patched{vertex(0, at(500), one), vertex(1, at(1), both_otherwise)};
  EXPECT_EQ(shown(match(donor, patched)), "0-0 slot; 1-1 slot; ") << "binds and weights may be edited";
  EXPECT_TRUE(match({}, {}).by_slot);
}

TEST(Match, IsByBindAndWeightsWhenABoneOrASlotIsAnother) {
  const Vertices donor{vertex(0, at(1), one), vertex(1, at(2), other)};
  EXPECT_EQ(shown(match(donor, {vertex(0, at(2), other), vertex(1, at(1), one)})),
            "1-0 weights; 0-1 weights; ");
  EXPECT_EQ(shown(match(donor, {vertex(0, at(1), one), vertex(2, at(2), other)})),
            "0-0 weights; 1-1 weights; ");
  EXPECT_EQ(shown(match(donor, {vertex(0, at(1), one), vertex(1, at(2), one)})), "0-0 weights; 1-1 bind; ");
}

TEST(Match, PrefersWeightsThenBonesThenAnything) {
  const Vertices donor{vertex(0, at(1), one), vertex(1, at(1), both), vertex(2, at(1), other)};
  const Vertices patched{vertex(4, at(1), both), vertex(5, at(1), both_otherwise), vertex(6, at(1), other)};
  EXPECT_EQ(shown(match(donor, patched)), "1-0 weights; 0-1 bind; 2-2 weights; ");
  EXPECT_EQ(shown(match({donor[0], donor[1]}, {patched[1], patched[2]})), "1-0 bones; 0-1 bind; ");
}

TEST(Match, PairsSeamsOneToOneInTheOrderOfSlotsDrawnOnesFirst) {
  const Vertices donor{vertex(3, at(1), one), vertex(7, at(1), one)};
  const Vertices patched{vertex(0, at(1), one, false), vertex(9, at(1), one), vertex(12, at(1), one)};
  const VertexMatches matches = match(donor, patched);
  EXPECT_EQ(shown(matches), "0-1 weights; 1-2 weights; ");
  EXPECT_EQ(matches.added, std::vector<std::uint32_t>{0});
  EXPECT_TRUE(matches.removed.empty());
  EXPECT_EQ(match(patched, donor).removed, std::vector<std::uint32_t>{0});
}

TEST(Match, TellsCoincidentVerticesApartByTheirNormals) {
  const Vertices donor{vertex(0, at(1, 50), one), vertex(1, at(1, 60), one)};
  const Vertices patched{vertex(5, at(1, 60), one), vertex(6, at(1, 50), one)};
  EXPECT_EQ(shown(match(donor, patched)), "1-0 weights; 0-1 weights; ");
}

TEST(Match, IsNearUpToThreeStepsInEveryComponent) {
  const Vertices donor{vertex(0, at(100), one)};
  EXPECT_EQ(shown(match(donor, {vertex(1, at(103), one)})), "0-0 near-weights; ");
  EXPECT_EQ(shown(match(donor, {vertex(1, at(97), one)})), "0-0 near-weights; ");
  EXPECT_EQ(shown(match(donor, {vertex(1, {103, 23, 27, 9, 9, 9}, one)})), "0-0 near-weights; ");
  for (const std::int16_t x : {std::int16_t{104}, std::int16_t{96}}) {
    const VertexMatches far = match(donor, {vertex(1, at(x), one)});
    EXPECT_EQ(shown(far), "");
    EXPECT_EQ(far.removed, std::vector<std::uint32_t>{0});
    EXPECT_EQ(far.added, std::vector<std::uint32_t>{0});
  }
}

TEST(Match, TakesTheNearestFirstAndTheSameWeightsBeforeIt) {
  const Vertices donor{vertex(0, at(100), one), vertex(1, at(104), one)};
  EXPECT_EQ(shown(match(donor, {vertex(5, at(103), one), vertex(6, at(101), one)})),
            "1-0 near-weights; 0-1 near-weights; ");
  EXPECT_EQ(shown(match(donor, {vertex(5, at(103), other), vertex(6, at(101), one)})),
            "1-0 near; 0-1 near-weights; ");
  EXPECT_EQ(shown(match({donor[0]}, {vertex(5, at(101), other), vertex(6, at(103), one)})),
            "0-1 near-weights; ");
}

TEST(Match, ComparesInStepsOfTheCoarserModel) {
  const Vertices donor{vertex(0, {200, 40, 60, 2, 4, 6}, one)};
  const Vertices patched{vertex(1, {100, 20, 30, 1, 2, 3}, one)};
  EXPECT_EQ(shown(match(donor, patched, 12, 11)), "0-0 weights; ");
  EXPECT_EQ(shown(match(patched, donor, 11, 12)), "0-0 weights; ");
  EXPECT_EQ(shown(match({vertex(0, {-201, 40, 60, 2, 4, 6}, one)}, {vertex(1, {-101, 20, 30, 1, 2, 3}, one)},
                        12, 11)),
            "0-0 weights; ")
      << "halves go away from zero";
  EXPECT_EQ(
      shown(match({vertex(0, {-32768, 0, 0, 0, 0, 0}, one)}, {vertex(1, {-1, 0, 0, 0, 0, 0}, one)}, 15, 0)),
      "0-0 weights; ");
}

// What is quadratic in the vertices does not come to an end here.
TEST(Match, ManyVerticesInOnePlaceAreMatched) {
  constexpr std::uint32_t many = 100'000;
  SplitMix64 random(3);
  Vertices donor, patched;
  for (std::uint32_t i = 0; i < many; ++i) {
    const auto x = static_cast<std::int16_t>(random.below(8));
    donor.push_back(vertex(i, {x, 0, 0, static_cast<std::int16_t>(i & 0x7FFF), 1, 0}, one));
    patched.push_back(
        vertex(i, {x, 0, 0, static_cast<std::int16_t>(i & 0x7FFF), 2, 0}, i % 2 == 0 ? one : other));
  }
  const VertexMatches matches = match(donor, patched);
  EXPECT_EQ(matches.pairs.size(), many);
  EXPECT_TRUE(matches.removed.empty() && matches.added.empty());
}

std::array<std::uint8_t, 12> record(SkinVertex v) {
  std::array<std::uint8_t, 12> out{};
  for (std::size_t c = 0; c < v.size(); ++c) store_be(&out[2 * c], v[c]);
  return out;
}

VertexDifference between(SkinVertex donor, SkinVertex patched, std::uint32_t allowed, double scale = 1) {
  return difference(record(donor).data(), record(patched).data(), scale, allowed);
}

TEST(Difference, IsRoundedBelowTheAllowanceAndMovedFromItOn) {
  EXPECT_EQ(between({}, {}, 0).change, VertexChange::none);
  EXPECT_EQ(between({}, {1, 0, 0, 0, 0, 0}, 0).change, VertexChange::moved);
  EXPECT_EQ(between({}, {0, 0, 0, 0, 0, -1}, 0).change, VertexChange::turned);
  EXPECT_EQ(between({}, {0, -2, 0, 0, 2, 0}, 3).change, VertexChange::rounded);
  EXPECT_EQ(between({}, {0, -3, 0, 0, 2, 0}, 3).change, VertexChange::moved);
  EXPECT_EQ(between({}, {0, -2, 0, 0, 3, 0}, 3).change, VertexChange::turned);
  EXPECT_EQ(between({}, {0, 3, 0, 0, 3, 0}, 3).change, VertexChange::moved);
}

TEST(Difference, MeasuresPositionsInStepsOfThePatchedModel) {
  EXPECT_EQ(between({10, 0, 0, 5, 5, 5}, {7, 4, 0, 0, 0, 0}, 0).steps, 5);
  EXPECT_EQ(between({-32768, 0, 0, 0, 0, 0}, {32767, 0, 0, 0, 0, 0}, 0).steps, 65535);
  EXPECT_EQ(between({10, 0, 0, 0, 0, 0}, {20, 0, 0, 0, 0, 0}, 0, 2).change, VertexChange::none);
  EXPECT_EQ(between({10, 0, 0, 0, 0, 0}, {20, 0, 0, 0, 0, 0}, 0, 0.5).steps, 15);
}

TEST(Allowance, IsThePassesOfBothWhenOnlyTheLayoutDiffers) {
  DiffVertex donor = vertex(0, at(1), both), patched = donor;
  EXPECT_EQ(allowance(donor, patched, true), 0U) << "the same writes";
  patched.passes = 2;
  EXPECT_EQ(allowance(donor, patched, true), 3U) << "two SKAcc passes instead of one SK2 write";
  patched.passes = 1;
  std::reverse(patched.writes.begin(), patched.writes.end());
  EXPECT_EQ(allowance(donor, patched, true), 2U);
  patched.passes = 3;
  EXPECT_EQ(allowance(donor, patched, true), 4U);
  EXPECT_EQ(allowance(donor, patched, false), 0U);
  patched.weights = both_otherwise;
  EXPECT_EQ(allowance(donor, patched, true), 0U);
  patched.weights = donor.weights;
  patched.bind[5] = 1;
  EXPECT_EQ(allowance(donor, patched, true), 0U);
}

}  // namespace
}  // namespace lockline::harness
