#include "corpus/breaks.hpp"

#include <gtest/gtest.h>

#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"

namespace lockline::corpus {
namespace {

using Json = nlohmann::json;

Block plain() {
  return *build(*find("plain-body"));
}

tl::expected<void, Error> apply(Block& block, const char* name, const char* parameters) {
  return apply_break(block, {name, Json::parse(parameters)});
}

TEST(Breaks, NamesAreUniqueAndDescribed) {
  std::set<std::string_view> names;
  for (const Break& row : breaks()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.description.empty()) << row.name;
  }
  std::set<std::string_view> fields;
  for (const BreakField& field : break_fields()) EXPECT_TRUE(fields.insert(field.name).second) << field.name;
}

TEST(Breaks, EveryBrokenRecipeDiffersFromItsBase) {
  for (Recipe recipe : bundled()) {
    if (recipe.breaks.empty()) continue;
    const auto broken = *build_bytes(recipe);
    recipe.breaks.clear();
    EXPECT_NE(broken, *build_bytes(recipe)) << recipe.name;
  }
}

/// Every field, set on a model that has everything, changes the bytes (and is found).
TEST(Breaks, SetReachesEveryField) {
  Recipe recipe = *find("face-body");
  recipe.body->groups.push_back({{1, 2, 3}, {120, 96, 40}, 8});
  const auto clean = *build_bytes(recipe);
  for (const BreakField& field : break_fields()) {
    Block block = *build(recipe);
    const auto done = apply_break(block, {"set", Json{{"field", std::string(field.name)}, {"add", 1}}});
    ASSERT_TRUE(done) << field.name << ": " << done.error().message;
    EXPECT_NE(serialize(block), clean) << field.name;
  }
}

TEST(Breaks, SetValueAndAdd) {
  Block block = plain();
  ASSERT_TRUE(apply(block, "set", R"({"field": "sk1.count", "at": 1, "value": 7})"));
  EXPECT_EQ(block.skn->sk1[1].count, 7);
  ASSERT_TRUE(apply(block, "set", R"({"field": "sk1.count", "at": 1, "add": -2})"));
  EXPECT_EQ(block.skn->sk1[1].count, 5);
}

TEST(Breaks, MoveTakesThePointerAlong) {
  Block block = plain();
  const auto before = block.skn->sk2[1];
  ASSERT_TRUE(apply(block, "move", R"({"array": "sk2.source", "at": 1, "by": -32})"));
  EXPECT_EQ(block.skn->sk2[1].source, before.source - 32);
  EXPECT_EQ(block.skn->sk2[1].source_at, before.source_at - 32);
}

TEST(Breaks, RepackDropsHoleLines) {
  Block block = *build(*find("hole-line"));
  const auto before = block.skn->sk1;
  ASSERT_TRUE(apply(block, "repack-sources", "{}"));
  EXPECT_EQ(block.skn->sk1[22].source, before[22].source);
  EXPECT_EQ(block.skn->sk1[23].source, before[23].source - 32);
}

TEST(Breaks, DropPrefixShiftsTheSource) {
  Block block = plain();
  const auto before = parse_block(serialize(block))->skn->sk1[1].vertices;
  ASSERT_TRUE(apply(block, "drop-prefix", R"({"at": 1})"));
  const auto after = parse_block(serialize(block))->skn->sk1[1].vertices;
  EXPECT_NE(after[0], before[0]);
  EXPECT_EQ(after[0][2], before[1][0]);  // 8 bytes early
}

TEST(Breaks, LoseDuplicatesKeepsTheSecondWeight) {
  Block block = *build(*find("duplicates"));
  ASSERT_TRUE(apply(block, "lose-duplicates", "{}"));
  for (const auto& entry : block.skn->acc)
    for (const std::uint8_t weight : entry.weights) EXPECT_EQ(weight, 1);
}

TEST(Breaks, ReverseRunsKeepsTheTerminator) {
  Block block = *build(*find("face-body"));
  const auto before = block.facial->objects[1].attributes[0].runs;
  ASSERT_TRUE(apply(block, "reverse-runs", R"({"at": 1})"));
  const auto& after = block.facial->objects[1].attributes[0].runs;
  EXPECT_EQ(after[0].first, before[before.size() - 2].first);
  EXPECT_EQ(after.back().length, 0);
}

TEST(Breaks, SwapEntries) {
  Block block = plain();
  ASSERT_TRUE(apply(block, "swap-entries", R"({"first": 1, "second": 2})"));
  const Block parsed = *parse_block(serialize(block));
  EXPECT_EQ(parsed.skn->sk1[1].bone, 3);
  EXPECT_EQ(parsed.skn->sk1[2].bone, 2);
}

TEST(Breaks, RebaseAccKeepsDestinations) {
  Block block = plain();
  const auto before = block.skn->acc[0];
  ASSERT_TRUE(apply(block, "rebase-acc", R"({"slots": 8})"));
  const auto& after = block.skn->acc[0];
  EXPECT_EQ(after.destination + after.indices[3] * 12U, before.destination + before.indices[3] * 12U);
  EXPECT_EQ(after.destination, 96U);
}

TEST(Breaks, CutEndsEarly) {
  Block block = plain();
  const auto size = block.size;
  ASSERT_TRUE(apply(block, "cut", R"({"bytes": 33})"));
  EXPECT_EQ(serialize(block).size(), size - 33);
}

TEST(Breaks, ErrorsAreValues) {
  Block block = plain();
  EXPECT_EQ(apply(block, "bend", "{}").error().code, ErrorCode::missing);
  EXPECT_EQ(apply(block, "set", R"({"field": "sk1.colour", "value": 1})").error().code, ErrorCode::missing);
  EXPECT_EQ(apply(block, "set", R"({"field": "sk1.count", "at": 99, "value": 1})").error().code,
            ErrorCode::missing);
  EXPECT_EQ(apply(block, "set", R"({"field": "face.target", "value": 1})").error().code, ErrorCode::missing);
  EXPECT_EQ(apply(block, "set", R"({"field": "sk1.count", "volume": 1})").error().structure, "/volume");
  EXPECT_EQ(apply(block, "move", R"({"array": "sk1.source"})").error().structure, "/by");
  EXPECT_EQ(apply(block, "cut", R"({"bytes": "all"})").error().structure, "/bytes");
}

}  // namespace
}  // namespace lockline::corpus
