#include "support.hpp"

namespace lockline::tests {
namespace {

// Submesh 1 of canonical_small: a vertex format with one-byte positions, then a list of 6 vertices at 0x660,
// 0x20 bytes.
constexpr std::size_t format_at = 0x640, list_state_at = 0x650, list_at = 0x660;

PrimitiveList list_of(const Block& block) {
  return *block.gpl->submeshes[1].layout->display->states[1].list;
}

Block with_list(std::initializer_list<int> bytes) {
  Data data = vector_block("canonical_small");
  std::fill_n(data.begin() + list_at, 0x20, std::uint8_t{0});
  std::size_t at = list_at;
  for (const int byte : bytes) data[at++] = static_cast<std::uint8_t>(byte);
  const Block block = parsed(data);
  EXPECT_EQ(serialize(block), data);
  return block;
}

constexpr const char* name = "GPL / submesh 1 / primitive list 0";

TEST(PrimitiveList, EveryOpcode) {
  for (int opcode = 1; opcode < 256; ++opcode) {
    const Block block = with_list({opcode, 0, 1, 5});
    const bool known = opcode == 0x80 || opcode == 0x90 || opcode == 0x98 || opcode == 0xA0;
    EXPECT_EQ(list_of(block).terminated, known) << opcode;
    EXPECT_EQ(list_of(block).primitives.size(), known ? 1U : 0U);
    EXPECT_EQ(list_of(block).tail.size(), known ? 0x20U - 4U : 0x20U);
    EXPECT_EQ(problem_at(block, name) == nullptr, known);
  }
}

TEST(PrimitiveList, SeveralPrimitivesUpToTheExactEnd) {
  const Block block = with_list({0x90, 0, 6, 0, 1, 2, 3, 4, 5, 0x98, 0, 0, 0xA0, 0,    14, 0,
                                 1,    2, 3, 4, 5, 0, 1, 2, 3, 4,    5, 0, 1,    0x80, 0,  0});
  const PrimitiveList list = list_of(block);
  ASSERT_EQ(list.primitives.size(), 4U);
  EXPECT_EQ(list.primitives[1].count, 0);
  EXPECT_EQ(list.primitives[2].indices.size(), 14U);
  EXPECT_TRUE(list.terminated);
  EXPECT_TRUE(list.tail.empty());
}

TEST(PrimitiveList, VerticesPastTheEnd) {
  const Block fits = with_list({0x90, 0, 29});
  EXPECT_TRUE(list_of(fits).terminated);
  const Block past = with_list({0x90, 0, 30});
  EXPECT_FALSE(list_of(past).terminated);
  EXPECT_EQ(list_of(past).tail.size(), 0x20U);
  EXPECT_EQ(problem_at(past, name)->offset, list_at);
  const Block header = with_list(
      {0x90, 0, 26, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x90});
  EXPECT_TRUE(list_of(header).tail.empty());
  EXPECT_EQ(problem_at(header, name), nullptr);  // three bytes are a primitive of no vertices
  EXPECT_TRUE(with_list({0x90, 0, 27, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   0,
                         0,    0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x90})
                  .problems.size() == 1U);
}

/// The list under another vertex format.
Block with_format(std::uint8_t type, std::uint32_t setting) {
  Data data = vector_block("canonical_small");
  poke(data, format_at, type);
  poke(data, format_at + 4, setting);
  const Block block = parsed(data);
  EXPECT_EQ(serialize(block), data);
  return block;
}

TEST(PrimitiveList, VertexFormat) {
  const PrimitiveList wide = list_of(with_format(3, 3U << 2 | 2U << 4));
  ASSERT_EQ(wide.attributes.size(), 2U);
  EXPECT_EQ(wide.attributes[0].width, 2);
  EXPECT_EQ(wide.attributes[1].attribute, Attribute::normal);
  ASSERT_EQ(wide.primitives.size(), 1U);
  EXPECT_EQ(wide.primitives[0].indices[0], 0x0001);
  EXPECT_EQ(wide.primitives[0].indices[1], 0x02);

  const PrimitiveList last =
      list_of(with_format(3, 2U << 24 | 3));  // tex 7; the two lowest bits mean nothing
  ASSERT_EQ(last.attributes.size(), 1U);
  EXPECT_EQ(last.column(Attribute::tex7), 0);
}

TEST(PrimitiveList, NoUsableFormatKeepsAllBytes) {
  for (const auto& [type, setting] :
       {std::pair<std::uint8_t, std::uint32_t>{1, 0x8}, {3, 0}, {3, 1U << 2 | 2U << 4}, {3, 3}}) {
    const Block block = with_format(type, setting);
    EXPECT_TRUE(list_of(block).primitives.empty());
    EXPECT_EQ(list_of(block).tail.size(), 0x20U);
    EXPECT_FALSE(list_of(block).terminated);
    EXPECT_NE(problem_at(block, name), nullptr);
  }
  EXPECT_NE(problem_at(with_format(3, 1U << 2), "GPL / submesh 1 / display state 0"), nullptr);
}

TEST(PrimitiveList, SizeUpToTheBlockEndAndOnePast) {
  const auto with_size = [](std::uint32_t size) {
    Data data = vector_block("canonical_small");
    poke(data, list_state_at + 12, size);
    EXPECT_TRUE(survives(data));
    return parsed(data);
  };
  EXPECT_EQ(list_of(with_size(0)).tail.size(), 0U);
  EXPECT_EQ(list_of(with_size(static_cast<std::uint32_t>(4320 - list_at))).primitives.size(), 1U);
  for (const std::uint32_t size : {static_cast<std::uint32_t>(4320 - list_at + 1), 0xFFFFFFFFU}) {
    const Block block = with_size(size);
    EXPECT_FALSE(block.gpl->submeshes[1].layout->display->states[1].list);
    EXPECT_EQ(problem_at(block, name)->code, ErrorCode::truncated);
  }
}

}  // namespace
}  // namespace lockline::tests
