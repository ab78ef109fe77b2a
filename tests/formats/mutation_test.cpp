#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "formats/structure_map.hpp"
#include "mutator.hpp"

namespace lockline::tests {
namespace {

/// What every input must survive: it parses or gives an error, comes back unchanged, and its map covers it.
void check(const Data& data) {
  const auto block = parse_block(data);
  if (!block) {
    ASSERT_FALSE(block.error().message.empty());
    return;
  }
  ASSERT_EQ(serialize(*block), data);
  const StructureMap map(*block);
  std::uint32_t covered = 0;
  for (const StructureRange& range : map.ranges()) {
    ASSERT_LE(range.begin, covered);
    covered = std::max(covered, range.end);
  }
  ASSERT_EQ(covered, block->size);
}

TEST(Mutation, RandomDamage) {
  std::vector<Data> originals;
  for (const std::string& name : vector_names()) originals.push_back(vector_block(name));
  // The vectors have no facial poses.
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    const auto bytes = corpus::build_bytes(recipe);
    if (!recipe.facial.objects.empty() && bytes && bytes->size() < 0x20000) originals.push_back(*bytes);
  }
  damage(originals, check);
}

TEST(Mutation, EveryByteOfASmallBlock) {
  const Data original = vector_block("acc_count0");
  Data data = original;
  for (std::size_t at = 0; at < data.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      data[at] = static_cast<std::uint8_t>(value);
      ASSERT_NO_FATAL_FAILURE(check(data)) << at << " = " << value;
    }
    data[at] = original[at];
  }
}

TEST(Mutation, EveryWordOfASmallBlockAsAPointer) {
  const Data original = vector_block("canonical_small");
  const auto size = static_cast<std::uint32_t>(original.size());
  Data data = original;
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
    for (const std::uint32_t value :
         {0U, 4U, 0x20U, size / 2, size - 4, size - 1, size, 0x80000000U, 0xFFFFFFE0U, 0xFFFFFFFFU}) {
      poke(data, at, value);
      ASSERT_NO_FATAL_FAILURE(check(data)) << at << " = " << value;
    }
    poke(data, at, peek<std::uint32_t>(original, at));
  }
}

TEST(Mutation, NoiseBehindAValidStart) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    Data data(0x20 + random() % 4096);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    for (std::size_t at = 0; at < 0x20; at += 4)
      poke(data, at, static_cast<std::uint32_t>(random() % (data.size() + 8)));
    poke(data, 4, std::uint32_t{0x20});
    poke(data, 0x20, Gpl::magic_value);
    poke(data, 0x2C, static_cast<std::uint32_t>(random() % 100));
    poke(data, 0x30, static_cast<std::uint32_t>(random() % data.size()));
    if (const auto act = peek<std::uint32_t>(data, 8); act >= 0x34 && act + 4 < data.size())
      poke(data, act, Act::magic_value);
    ASSERT_NO_FATAL_FAILURE(check(data)) << i;
  }
}

}  // namespace
}  // namespace lockline::tests
