#include "formats/structure_map.hpp"
#include "support.hpp"

namespace lockline::tests {
namespace {

/// Big-endian numbers one after another.
struct Section {
  Data data;
  Section& u8(std::initializer_list<int> values) {
    for (const int v : values) data.push_back(static_cast<std::uint8_t>(v));
    return *this;
  }
  Section& u16(std::initializer_list<int> values) {
    for (const int v : values) u8({v >> 8, v & 255});
    return *this;
  }
  Section& u32(std::initializer_list<int> values) {
    for (const int v : values) u16({v >> 16, v & 0xFFFF});
    return *this;
  }
};

constexpr std::uint32_t facial_at = 4320, runs0 = 0x60, pose00 = 0x6C, runs1 = 0x90;

/// canonical_small with a facial section as seeds/facial-pose-section describes it: an object of two poses on
/// submesh 1 and a kind 0 supplement of signed bytes on SKAcc[0].
Data facial_block() {
  Section s;
  s.u16({2, 2, 1, 0}).u32({0x24, 0x14, 0});                       // 0x00 header
  s.u16({1}).u8({1, 0x32}).u32({0, 0, 0});                        // 0x14 type descriptor
  s.u16({2, 1}).u32({0x14, 0x3C}).u16({1, 1}).u32({0x10, 0x50});  // 0x24 objects
  s.u32({3}).u8({1, 1, 3, 2}).u32({0x60, 0x6C, 0x7E});            // 0x3C attribute of object 0
  s.u32({1}).u8({0, 0, 6, 1}).u32({0x90, 0x98});                  // 0x50 attribute of object 1
  s.u16({1, 2, 4, 1, 0, 0});                                      // 0x60 runs
  s.u16({1, 2, 3, 4, 5, 6, 7, 8, 9});                             // 0x6C pose 0
  s.u16({-1, 0, 0, 0, -2, 0, 0, 0, -3});                          // 0x7E pose 1
  s.u16({2, 1, 0, 0});                                            // 0x90 runs
  s.u8({-1, 2, -3, 4, -128, 127});                                // 0x98 pose 0
  s.data.resize(0xA0);
  Data data = vector_block("canonical_small");
  data.insert(data.end(), s.data.begin(), s.data.end());
  return poke(data, 0x18, facial_at);
}

TEST(Facial, Values) {
  const Data data = facial_block();
  const Block block = parsed(data);
  EXPECT_EQ(problems(block), "");
  EXPECT_EQ(serialize(block), data);
  const Facial& facial = *block.facial;
  EXPECT_EQ(facial.at, facial_at);
  EXPECT_EQ(facial.size, 0xA0U);
  ASSERT_EQ(facial.types.size(), 1U);
  EXPECT_EQ(facial.types[0].format, 0x32);
  ASSERT_EQ(facial.objects.size(), 2U);

  const FacialAttribute& rigid = facial.objects[0].attributes.at(0);
  EXPECT_EQ(rigid.target, 1);
  EXPECT_EQ(rigid.kind, 1);
  ASSERT_EQ(rigid.runs.size(), 3U);
  EXPECT_EQ(rigid.runs[1].first, 4);
  EXPECT_EQ(rigid.runs[1].length, 1);
  EXPECT_TRUE(rigid.terminated);
  ASSERT_EQ(rigid.poses.size(), 2U);
  EXPECT_EQ(rigid.poses[0], (std::vector<std::int16_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(rigid.poses[1], (std::vector<std::int16_t>{-1, 0, 0, 0, -2, 0, 0, 0, -3}));
  EXPECT_EQ(rigid.pose_at(facial, 1), facial_at + 0x7E);

  const FacialAttribute& supplement = facial.objects[1].attributes.at(0);
  EXPECT_EQ(supplement.poses.at(0), (std::vector<std::int16_t>{-1, 2, -3, 4, -128, 127}));
  EXPECT_TRUE(supplement.terminated);
}

TEST(Facial, Names) {
  const StructureMap map(parsed(facial_block()));
  const auto one = [&](std::uint32_t at) { return map.describe(facial_at + at, facial_at + at + 1); };
  EXPECT_EQ(one(0), "facial / header");
  EXPECT_EQ(one(0x14), "facial / type 0");
  EXPECT_EQ(one(0x30), "facial / object 1");
  EXPECT_EQ(one(0x4F), "facial / object 0 / attribute 0");
  EXPECT_EQ(one(0x6B), "facial / object 0 / attribute 0 / runs");
  EXPECT_EQ(one(0x7E), "facial / object 0 / attribute 0 / pose 1");
  EXPECT_EQ(one(0x9D), "facial / object 1 / attribute 0 / pose 0");
  EXPECT_EQ(one(0x9E), "gap");
}

const FacialAttribute attribute_of(const Data& data) {
  EXPECT_TRUE(survives(data));
  return parsed(data).facial->objects.at(0).attributes.at(0);
}

TEST(Facial, ListWithoutTerminatorStopsAtThePoses) {
  Data data = facial_block();
  poke(data, facial_at + 0x48 - 4,
       runs0 + 4);  // the list begins at (4, 1): only one of three entries, then (0, 0)
  EXPECT_TRUE(attribute_of(data).terminated);

  data = facial_block();
  // Pose 0 right behind the two runs, where the terminator was.
  poke(data, facial_at + 0x48, runs0 + 8);
  const FacialAttribute attribute = attribute_of(data);
  EXPECT_FALSE(attribute.terminated);
  EXPECT_EQ(attribute.runs.size(), 2U);
}

TEST(Facial, WrongSumIsReadToItsTerminator) {
  Data data = facial_block();
  poke(data, facial_at + runs0 + 2, std::uint16_t{0xFFFF});  // far more than 3 entries
  const FacialAttribute more = attribute_of(data);
  EXPECT_TRUE(more.terminated);
  EXPECT_EQ(more.runs.size(), 3U);
  poke(data, facial_at + runs0 + 2, std::uint16_t{1});  // one too few
  const FacialAttribute fewer = attribute_of(data);
  EXPECT_TRUE(fewer.terminated);
  EXPECT_EQ(fewer.runs.size(), 3U);
}

TEST(Facial, ListUpToTheBlockEnd) {
  Data data = facial_block();
  data.resize(facial_at + 0x9E);
  data.insert(data.end(), {0, 7, 0, 1});
  poke(data, facial_at + 0x58, std::uint32_t{0x9E});  // runs of object 1: one pair, then the end
  const Block block = parsed(data);
  EXPECT_TRUE(survives(data));
  EXPECT_FALSE(block.facial->objects[1].attributes[0].terminated);
  EXPECT_EQ(block.facial->objects[1].attributes[0].runs.size(), 1U);
  poke(data, facial_at + 0x58, std::uint32_t{0x9F});  // not even one pair
  EXPECT_EQ(parsed(data).facial->objects[1].attributes[0].runs.size(), 0U);
  EXPECT_EQ(problem_at(parsed(data), "facial / object 1 / attribute 0 / runs")->code, ErrorCode::truncated);
}

TEST(Facial, UnknownComponentBytes) {
  for (const int width : {0, 3, 4, 255}) {
    Data data = facial_block();
    poke(data, facial_at + 0x43, static_cast<std::uint8_t>(width));
    const Block block = parsed(data);
    EXPECT_EQ(problem_at(block, "facial / object 0 / attribute 0")->code, ErrorCode::bad_value);
    const auto& poses = block.facial->objects[0].attributes[0].poses;
    EXPECT_EQ(poses.size(), 2U);
    EXPECT_TRUE(poses[0].empty() && poses[1].empty());
    EXPECT_TRUE(survives(data));
  }
}

TEST(Facial, RecordSizeThatDoesNotFitThePoses) {
  Data data = facial_block();
  poke(data, facial_at + 0x28, std::uint32_t{0x10});
  EXPECT_EQ(problem_at(parsed(data), "facial / object 0")->code, ErrorCode::bad_value);
  EXPECT_TRUE(survives(data));
}

TEST(Facial, WildCounts) {
  for (const std::uint32_t at : {0x02U, 0x04U, 0x24U, 0x26U, 0x3CU, 0x3EU, 0x42U}) {
    Data data = facial_block();
    poke(data, facial_at + at, std::uint16_t{0xFFFF});
    EXPECT_NE(problems(parsed(data)), "") << at;
    EXPECT_TRUE(survives(data)) << at;
  }
  // Records of size 0: the same one, 65535 times.
  Data data = facial_block();
  poke(data, facial_at + 0x28, std::uint32_t{0});
  poke(data, facial_at + 0x26, std::uint16_t{0xFFFF});
  const Block block = parsed(data);
  EXPECT_LT(block.facial->objects[0].attributes.size(), 2000U);
  EXPECT_TRUE(survives(data));
}

TEST(Facial, EveryTruncation) {
  const Data data = facial_block();
  for (std::size_t length = facial_at; length < facial_at + 0x9E; ++length) {
    const Data cut(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(length));
    ASSERT_TRUE(survives(cut)) << length;
    ASSERT_NE(problems(parsed(cut)), "") << length;
  }
}

}  // namespace
}  // namespace lockline::tests
