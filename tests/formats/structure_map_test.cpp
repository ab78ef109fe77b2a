#include "formats/structure_map.hpp"

#include "support.hpp"

namespace lockline::tests {
namespace {

TEST(StructureMap, EveryByteHasANameAndGapsOverlapNothing) {
  for (const std::string& name : vector_names()) {
    SCOPED_TRACE(name);
    const Block block = parsed(vector_block(name));
    const StructureMap map(block);
    std::vector<int> covered(block.size), gap(block.size);
    for (const StructureRange& range : map.ranges()) {
      ASSERT_LT(range.begin, range.end);
      ASSERT_LE(range.end, block.size);
      auto& count = range.kind == StructureKind::gap ? gap : covered;
      for (std::uint32_t i = range.begin; i < range.end; ++i) ++count[i];
    }
    for (std::uint32_t i = 0; i < block.size; ++i) ASSERT_EQ(gap[i], covered[i] == 0 ? 1 : 0) << i;
  }
}

TEST(StructureMap, GapsAreTheParsedOnes) {
  const Block block = parsed(vector_block("canonical_small"));
  const StructureMap map(block);
  std::size_t gaps = 0;
  for (const StructureRange& range : map.ranges()) {
    if (range.kind != StructureKind::gap) continue;
    ASSERT_LT(gaps, block.gaps.size());
    EXPECT_EQ(range.begin, block.gaps[gaps].at);
    EXPECT_EQ(range.end - range.begin, block.gaps[gaps].bytes.size());
    ++gaps;
  }
  EXPECT_EQ(gaps, block.gaps.size());
}

TEST(StructureMap, NamesOfASmallBlock) {
  const StructureMap map(parsed(vector_block("canonical_small")));
  const auto one = [&](std::uint32_t at) { return map.describe(at, at + 1); };
  EXPECT_EQ(one(0x00), "block header");
  EXPECT_EQ(one(0x20), "GPL / header");
  EXPECT_EQ(one(0x3C), "GPL / submesh 1 / descriptor");
  EXPECT_EQ(one(0x44), "GPL / submesh 0 / layout");
  EXPECT_EQ(one(0x64), "gap");
  EXPECT_EQ(one(0x80), "GPL / submesh 0 / positions and GPL / submesh 0 / normals");
  EXPECT_EQ(one(0x3C0), "GPL / submesh 0 / colour header");
  EXPECT_EQ(one(0x3CC), "GPL / submesh 0 / UV 0 header");
  EXPECT_EQ(one(0x40C), "GPL / submesh 0 / display state 1");
  EXPECT_EQ(one(0x420), "GPL / submesh 0 / primitive list 0");
  EXPECT_EQ(one(0x5E8), "GPL / submesh 0 / UV 0 palette name");
  EXPECT_EQ(one(0x6F8), "ACT / bone 2");
  EXPECT_EQ(one(0x878), "ACT / bone 2 / control");
  EXPECT_EQ(one(0xBF8), "SKN / SK2[1]");
  EXPECT_EQ(one(0x1040), "SKN / SK2[1] / weights");
  EXPECT_EQ(one(0x10A0), "SKN / SKAcc[0] / indices");
  EXPECT_EQ(one(0x1000), "SKN / flush");
}

TEST(StructureMap, OverlappingIsEndExclusiveOnBothSides) {
  const StructureMap map(parsed(vector_block("canonical_small")));
  // 0x3C0 - 0x3C8 colour header, 0x3C8 - 0x3CC colours, 0x3CC - 0x3DC UV 0 header
  EXPECT_EQ(map.describe(0x3C8, 0x3CC), "GPL / submesh 0 / colours");
  EXPECT_EQ(map.describe(0x3C7, 0x3CC), "GPL / submesh 0 / colour header and GPL / submesh 0 / colours");
  EXPECT_EQ(map.describe(0x3C8, 0x3CD), "GPL / submesh 0 / colours and GPL / submesh 0 / UV 0 header");
  EXPECT_EQ(map.describe(0x3C7, 0x3CD),
            "GPL / submesh 0 / colour header, GPL / submesh 0 / colours and 1 more");
  EXPECT_TRUE(map.overlapping(0x3C8, 0x3C8).empty());
  EXPECT_TRUE(map.overlapping(0x3C9, 0x3C8).empty());
  EXPECT_EQ(map.overlapping(0, 4320).size(), map.ranges().size());
  EXPECT_EQ(map.overlapping(0, 0xFFFFFFFF).size(), map.ranges().size());
  EXPECT_EQ(map.overlapping(4319, 4320).size(), 1U);
  EXPECT_TRUE(map.overlapping(4320, 0xFFFFFFFF).empty());
  EXPECT_EQ(map.describe(4320, 4321), "outside the block");
  EXPECT_EQ(map.describe(5, 5), "nothing");
}

TEST(StructureMap, OverlappingAgreesWithASearchOfAllRanges) {
  const StructureMap map(parsed(vector_block("acc_duplicates")));
  for (std::uint32_t begin = 0; begin < 3104; begin += 7) {
    for (const std::uint32_t length : {1U, 4U, 32U, 1000U}) {
      std::vector<const StructureRange*> expected;
      for (const StructureRange& range : map.ranges()) {
        if (range.begin < begin + length && range.end > begin) expected.push_back(&range);
      }
      ASSERT_EQ(map.overlapping(begin, begin + length), expected) << begin << " " << length;
    }
  }
}

TEST(StructureMap, LongRangesBeforeShortOnesAreFound) {
  Block block;
  block.size = 100;
  block.ptr6 = OpaqueSection{32, Data(60)};
  block.ptr8 = OpaqueSection{40, Data(4)};
  const StructureMap map(block);
  EXPECT_EQ(map.describe(50, 51), "ptr6");
  EXPECT_EQ(map.describe(43, 44), "ptr6 and ptr8");
  EXPECT_EQ(map.describe(91, 92), "ptr6");
  EXPECT_EQ(map.describe(92, 100), "gap");
}

TEST(StructureMap, StructuresOfAHandMadeBlockAreCutOffAtItsEnd) {
  Block block;
  block.size = 40;
  block.ptr6 = OpaqueSection{36, Data{1, 2, 3, 4, 5, 6}};
  block.ptr8 = OpaqueSection{40, Data{7}};
  EXPECT_EQ(StructureMap(block).ranges().back().end, 40U);
  Data expected(40);
  for (std::uint8_t i = 0; i < 4; ++i) expected[36 + i] = static_cast<std::uint8_t>(i + 1);
  EXPECT_EQ(serialize(block), expected);
}

TEST(StructureMap, EveryKindHasAName) {
  std::vector<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(StructureKind::gap); ++kind) {
    names.push_back(name(static_cast<StructureKind>(kind)));
  }
  EXPECT_EQ(std::ranges::count(names, std::string_view("unknown")), 0);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace lockline::tests
