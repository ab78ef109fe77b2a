#include "support.hpp"

namespace lockline::tests {
namespace {

TEST(RoundTrip, EveryVectorBlockComesBackAndHasNoProblems) {
  ASSERT_EQ(vector_names().size(), 40U);
  for (const std::string& name : vector_names()) {
    SCOPED_TRACE(name);
    const Data data = vector_block(name);
    const Block block = parsed(data);
    EXPECT_EQ(serialize(block), data);
    EXPECT_EQ(problems(block), "");
  }
}

TEST(RoundTrip, EveryTruncationOfASmallBlock) {
  for (const std::string name : {"canonical_small", "acc_duplicates"}) {
    const Data data = vector_block(name);
    for (std::size_t length = 0; length < data.size(); ++length) {
      // A copy of exactly this size, so that the sanitizer sees a read past it.
      const Data cut(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(length));
      const auto block = parse_block(cut);
      if (length < 0x20 + 0x14) {
        ASSERT_FALSE(block) << name << " " << length;
        ASSERT_EQ(block.error().code, ErrorCode::truncated);
      } else {
        ASSERT_TRUE(block) << name << " " << length;
        ASSERT_EQ(serialize(*block), cut) << name << " " << length;
      }
    }
  }
}

TEST(RoundTrip, TruncationsOfEveryVectorBlock) {
  for (const std::string& name : vector_names()) {
    const Data data = vector_block(name);
    for (std::size_t length = 0; length < data.size(); length += 1 + data.size() / 97) {
      const Data cut(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(length));
      ASSERT_TRUE(survives(cut)) << name << " " << length;
    }
  }
}

TEST(RoundTrip, NanPayloadsAndSignsStay) {
  Data data = vector_block("canonical_small");
  const std::size_t matrix = 0xAA0 + 0x24;  // of SK1[0]
  for (const std::uint32_t bits : {0x7F800001U, 0xFFFFFFFFU, 0x7FC12345U, 0x80000000U, 0x00000001U}) {
    poke(data, matrix, bits);
    const Block block = parsed(data);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(block.skn->sk1[0].matrix[0]), bits);
    EXPECT_EQ(serialize(block), data);
  }
}

}  // namespace
}  // namespace lockline::tests
