#include "corpus/skin_layout.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "formats/random.hpp"
#include "formats/view.hpp"

namespace lockline::corpus {
namespace {

using Weights = std::vector<BoneWeight>;

Weights quantized(std::vector<BoneShare> shares) {
  return quantize_weights(shares);
}

TEST(QuantizeWeights, HandComputed) {
  EXPECT_EQ(quantized({{7, 1}}), (Weights{{7, 256}}));
  EXPECT_EQ(quantized({{2, 1}, {1, 1}}), (Weights{{1, 128}, {2, 128}}));
  // 85.33 each: the one unit left goes to the lowest id among equal remainders.
  EXPECT_EQ(quantized({{3, 1}, {1, 1}, {2, 1}}), (Weights{{1, 86}, {2, 85}, {3, 85}}));
  // 128, 76.8, 51.2: the larger remainder gets the unit.
  EXPECT_EQ(quantized({{1, 0.5}, {2, 0.3}, {3, 0.2}}), (Weights{{1, 128}, {2, 77}, {3, 51}}));
}

TEST(QuantizeWeights, RemovesWhatRoundsToNothing) {
  EXPECT_EQ(quantized({{1, 1000}, {2, 1}}), (Weights{{1, 256}}));
  EXPECT_EQ(quantized({{1, 1}, {2, 0}, {3, -1}}), (Weights{{1, 256}}));
  EXPECT_TRUE(quantized({}).empty());
  EXPECT_TRUE(quantized({{1, 0}}).empty());
}

TEST(QuantizeWeights, AddsSharesOfOneBone) {
  EXPECT_EQ(quantized({{1, 255}, {1, 1}}), (Weights{{1, 256}}));
  EXPECT_EQ(quantized({{2, 1}, {1, 2}, {2, 1}}), (Weights{{1, 128}, {2, 128}}));
}

TEST(QuantizeWeights, AlwaysSumsTo256) {
  SplitMix64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<BoneShare> shares;
    for (std::uint32_t k = 0; k <= random.below(9); ++k)
      shares.push_back({static_cast<std::uint16_t>(random.below(12)), random.unit() + 1e-6});
    std::uint32_t sum = 0;
    for (const BoneWeight w : quantize_weights(shares)) sum += w.weight;
    EXPECT_EQ(sum, 256U);
  }
}

std::vector<WeightedVertex> moved_by(Weights weights, std::size_t count) {
  std::vector<WeightedVertex> vertices(count);
  for (std::size_t i = 0; i < count; ++i) vertices[i] = {{static_cast<std::int16_t>(i + 1)}, weights};
  return vertices;
}

std::vector<WeightedVertex> operator+(std::vector<WeightedVertex> a, const std::vector<WeightedVertex>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

SkinLayout canonical(const std::vector<WeightedVertex>& vertices, const LayoutOptions& options = {}) {
  auto layout = lay_out(vertices, canonical_runs(vertices), options);
  EXPECT_TRUE(layout);
  return layout.value_or(SkinLayout{});
}

const Weights sk2_weights{{1, 128}, {2, 128}};

TEST(CanonicalRuns, OneBoneThenTheTwoHeaviest) {
  const auto vertices =
      moved_by({{9, 256}}, 3) + moved_by({{4, 30}, {7, 100}, {2, 126}}, 3) + moved_by({{3, 256}}, 3);
  const auto runs = canonical_runs(vertices);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].bone1, 3);
  EXPECT_EQ(runs[1].bone1, 9);
  EXPECT_EQ(runs[2].kind, RunKind::sk2);
  EXPECT_EQ(runs[2].bone1, 2);
  EXPECT_EQ(runs[2].bone2, 7);
}

TEST(CanonicalRuns, TiesGoToTheLowerBone) {
  const auto vertices = moved_by({{8, 64}, {6, 64}, {4, 64}, {5, 64}}, 1);
  const auto runs = canonical_runs(vertices);
  EXPECT_EQ(runs[0].bone1, 4);
  EXPECT_EQ(runs[0].bone2, 5);
}

TEST(CanonicalRuns, WithoutWeightNoSlot) {
  const auto layout = canonical(moved_by({{1, 256}}, 3) + moved_by({{2, 0}}, 1));
  EXPECT_EQ(layout.slots[3], SkinLayout::no_slot);
  EXPECT_EQ(layout.positions.size(), 3U);
}

TEST(LayOut, EntriesStartOnTheNextFreeLine) {
  // 20 vertices end at byte 240; the next line is 256 and its first whole vertex slot 22 (264).
  const auto layout = canonical(moved_by({{1, 256}}, 20) + moved_by({{2, 256}}, 4));
  const auto& entry = layout.skn.sk1[1];
  EXPECT_EQ(entry.destination, 256U);
  EXPECT_EQ(entry.vertex_offset, 8);
  EXPECT_EQ(layout.slots[20], 22U);
  EXPECT_EQ(entry.prefix, std::vector<std::uint8_t>(8, 0));
  EXPECT_EQ(layout.positions.size(), 26U);
  EXPECT_EQ(layout.direct_end, 320U);  // 26 x 12 = 312
}

TEST(LayOut, SupplementsGoToSkAcc) {
  const auto layout = canonical(moved_by({{5, 20}, {1, 130}, {2, 106}}, 4));
  EXPECT_EQ(layout.skn.sk2[0].weights, (std::vector<std::array<std::uint8_t, 2>>(4, {130, 106})));
  ASSERT_EQ(layout.skn.acc.size(), 1U);
  EXPECT_EQ(layout.skn.acc[0].bone, 5);
  EXPECT_EQ(layout.skn.acc[0].indices, (std::vector<std::uint16_t>{0, 1, 2, 3}));
  EXPECT_EQ(layout.skn.acc[0].weights, (std::vector<std::uint8_t>{20, 20, 20, 20}));
  EXPECT_EQ(layout.skn.acc[0].vertices[2], layout.positions[2]);
  EXPECT_EQ(layout.skn.memclr_size, 0U);
}

TEST(LayOut, PadsOneAndTwoVerticesToThree) {
  for (const std::size_t count : {1U, 2U}) {
    const auto layout = canonical(moved_by({{1, 200}, {2, 40}, {3, 16}}, count));
    const auto& entry = layout.skn.sk2[0];
    EXPECT_EQ(entry.count, 3);
    EXPECT_EQ(entry.vertices[2], entry.vertices[0]);
    EXPECT_EQ(layout.slots[0], 0U);
    // The copies keep the first vertex's supplement too, so that their weights sum to 256.
    EXPECT_EQ(layout.skn.acc[0].count, 3);
  }
}

std::vector<std::uint32_t> counts(const std::vector<Sk1Entry>& entries) {
  std::vector<std::uint32_t> result;
  for (const auto& entry : entries) result.push_back(entry.count);
  return result;
}

std::vector<std::uint32_t> counts(const std::vector<Sk2Entry>& entries) {
  std::vector<std::uint32_t> result;
  for (const auto& entry : entries) result.push_back(entry.count);
  return result;
}

using Counts = std::vector<std::uint32_t>;
using Runs = std::vector<Run>;

TEST(LayOut, SplitsSk1PastItsLimit) {
  // At offset 0: 681 x 12 = 8172 fits, 682 x 12 = 8184 does not; the cut is at slot 680, where a line starts.
  EXPECT_EQ(counts(canonical(moved_by({{1, 256}}, 681)).skn.sk1), (Counts{681}));
  const auto split = canonical(moved_by({{1, 256}}, 683));
  EXPECT_EQ(counts(split.skn.sk1), (Counts{680, 3}));
  EXPECT_EQ(split.skn.sk1[1].destination, 680U * 12);
  EXPECT_EQ(split.skn.sk1[1].vertex_offset, 0);
  // One vertex left over is padded like any small entry.
  EXPECT_EQ(counts(canonical(moved_by({{1, 256}}, 682)).skn.sk1), (Counts{680, 3}));
}

TEST(LayOut, Sk1LimitCountsTheVertexOffset) {
  // Behind 20 vertices the entry has offset 8: 8 + 681 x 12 = 8180, the vanilla maximum exactly.
  EXPECT_EQ(counts(canonical(moved_by({{1, 256}}, 20) + moved_by({{2, 256}}, 681)).skn.sk1),
            (Counts{20, 681}));
  // Slot 22 + 681 = 703; the last multiple of 8 is 696 = 22 + 674.
  EXPECT_EQ(counts(canonical(moved_by({{1, 256}}, 20) + moved_by({{2, 256}}, 682)).skn.sk1),
            (Counts{20, 674, 8}));
}

TEST(LayOut, SplitsSk2PastItsLimit) {
  EXPECT_EQ(counts(canonical(moved_by(sk2_weights, 340)).skn.sk2), (Counts{340}));
  EXPECT_EQ(counts(canonical(moved_by(sk2_weights, 341)).skn.sk2), (Counts{336, 5}));
  // 8 + 340 x 12 = 4088.
  EXPECT_EQ(counts(canonical(moved_by({{1, 256}}, 20) + moved_by(sk2_weights, 340)).skn.sk2), (Counts{340}));
  // Slot 22 + 340 = 362; the last multiple of 8 is 360 = 22 + 338.
  EXPECT_EQ(counts(canonical(moved_by({{1, 256}}, 20) + moved_by(sk2_weights, 341)).skn.sk2),
            (Counts{338, 3}));
}

TEST(LayOut, SplitsSkAccAt341) {
  const auto at = canonical(moved_by({{1, 128}, {2, 100}, {3, 28}}, 341));
  const auto past = canonical(moved_by({{1, 128}, {2, 100}, {3, 28}}, 342));
  EXPECT_EQ(at.skn.acc.size(), 1U);
  ASSERT_EQ(past.skn.acc.size(), 2U);
  EXPECT_EQ(past.skn.acc[0].count, 341);
  EXPECT_EQ(past.skn.acc[1].count, 1);
  EXPECT_EQ(past.skn.acc[1].indices[0], 341);
}

TEST(LayOut, ManyPartsEachStartALine) {
  const auto layout = canonical(moved_by({{1, 256}}, 5000) + moved_by(sk2_weights, 2000));
  for (const auto& entry : layout.skn.sk1) EXPECT_LE(entry.vertex_offset + entry.count * 12U, 8180U);
  for (const auto& entry : layout.skn.sk2) EXPECT_LE(entry.vertex_offset + entry.count * 12U, 4088U);
  EXPECT_EQ(std::accumulate(layout.skn.sk1.begin(), layout.skn.sk1.end(), 0U,
                            [](std::uint32_t sum, const auto& entry) { return sum + entry.count; }),
            5000U);
  for (std::size_t i = 1; i < layout.skn.sk1.size(); ++i) EXPECT_EQ(layout.skn.sk1[i].vertex_offset, 0);
}

TEST(LayOut, AccumulatedSlotsGetMemClr) {
  const auto vertices = moved_by({{1, 256}}, 20) + moved_by({{2, 192}, {3, 64}}, 5);
  Runs runs{{RunKind::sk1, 1, 0, {}, 0}, {RunKind::accumulated, 0, 0, {}, 0}};
  for (std::uint32_t i = 0; i < 25; ++i) runs[i / 20].vertices.push_back(i);
  const auto layout = lay_out(vertices, runs);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->skn.memclr_pointer, 264U);  // slot 22
  EXPECT_EQ(layout->skn.memclr_size, 64U);      // 5 x 12 = 60
  EXPECT_EQ(layout->write_end, 328U);           // past the last slot (324)
  EXPECT_EQ(layout->direct_end, 256U);
  EXPECT_EQ(layout->skn.flush,
            (std::vector<std::uint16_t>{22, 27}));  // lines 8 and 10; 9 is wholly inside memClr
}

TEST(LayOut, FlushHoldsTheFirstVertexOfEachTouchedLine) {
  // Slots 0..3 end at byte 48: lines 0 and 1, whose first vertices are 0 and 3.
  const auto layout = canonical(moved_by({{1, 128}, {2, 100}, {3, 28}}, 4));
  EXPECT_EQ(layout.skn.flush, (std::vector<std::uint16_t>{0, 3}));
}

TEST(LayOut, HoleLinesStayUnused) {
  const auto vertices = moved_by({{1, 256}}, 6);
  Runs runs{{RunKind::sk1, 1, 0, {0, 1, 2}, 2}, {RunKind::sk1, 1, 0, {3, 4, 5}, 0}};
  const auto layout = lay_out(vertices, runs);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->skn.sk1[1].destination, 128U);  // 36 bytes take lines 0 and 1, then 2 and 3 are the hole
}

TEST(LayOut, ErrorsAreValues) {
  const auto vertices = moved_by({{1, 256}}, 3);
  EXPECT_EQ(lay_out(vertices, Runs{{RunKind::sk1, 1, 0, {3}, 0}}).error().code, ErrorCode::bad_value);
  EXPECT_EQ(lay_out(vertices, Runs{{RunKind::accumulated, 0, 0, {0}, 0}}).error().code,
            ErrorCode::bad_value);  // 256 does not fit a weight byte
  const corpus::Run far{RunKind::sk1, 1, 0, {0, 1, 2}, 30000};
  EXPECT_EQ(lay_out(vertices, Runs{far, far}).error().code, ErrorCode::too_large);
}

TEST(LayOut, NothingInNothingOut) {
  const auto layout = canonical({});
  EXPECT_TRUE(layout.positions.empty());
  EXPECT_EQ(layout.skn.size, 64U);
}

TEST(Place, MovesEverythingAndNoPointer) {
  auto skn = canonical(moved_by({{1, 256}}, 20) + moved_by({{1, 128}, {2, 100}, {3, 28}}, 4)).skn;
  const Skn before = skn;
  place(skn, 0x400);
  EXPECT_EQ(skn.sk1[0].at, 0x424U);
  EXPECT_EQ(skn.sk2[0].at, 0x464U);
  EXPECT_EQ(skn.acc[0].at, 0x464U + 0x74);
  EXPECT_EQ(skn.sk2[0].source, before.sk2[0].source);
  EXPECT_EQ(skn.sk2[0].source_at, 0x400 + before.sk2[0].source);
  EXPECT_EQ(skn.acc[0].weights_at, 0x400 + before.acc[0].weights_pointer);
  EXPECT_EQ(skn.flush_at, 0x400 + before.flush_pointer);
}

}  // namespace
}  // namespace lockline::corpus
