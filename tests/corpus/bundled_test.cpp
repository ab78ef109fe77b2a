#include "corpus/bundled.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "corpus/builder.hpp"

namespace lockline::corpus {
namespace {

TEST(Bundled, EveryRecipeReadsAndBuilds) {
  ASSERT_FALSE(bundled_sources().empty());
  for (const BundledSource& source : bundled_sources()) {
    const auto recipe = read_recipe(source.json);
    ASSERT_TRUE(recipe) << source.name << ": " << to_string(recipe.error());
    EXPECT_EQ(recipe->name, source.name);
    EXPECT_FALSE(recipe->description.empty()) << source.name;
    const auto bytes = build_bytes(*recipe);
    ASSERT_TRUE(bytes) << source.name << ": " << to_string(bytes.error());
  }
}

TEST(Bundled, PairAndDonorExist) {
  for (const Recipe& recipe : bundled())
    for (const std::string& other : {recipe.pair, recipe.donor})
      if (!other.empty()) {
        EXPECT_TRUE(find(other)) << recipe.name << " names " << other;
      }
}

TEST(Bundled, FindsByNameOnly) {
  EXPECT_EQ(find("small-body")->name, "small-body");
  EXPECT_EQ(find("no such").error().code, ErrorCode::missing);
}

TEST(Bundled, BuildsAreRepeatable) {
  for (const Recipe& recipe : bundled()) EXPECT_EQ(*build_bytes(recipe), *build_bytes(recipe)) << recipe.name;
}

TEST(Bundled, BytesSurviveParsing) {
  for (const Recipe& recipe : bundled()) {
    const auto bytes = *build_bytes(recipe);
    const auto block = parse_block(bytes);
    if (!block) continue;  // a broken header
    EXPECT_EQ(serialize(*block), bytes) << recipe.name;
  }
}

bool clean(const Recipe& recipe) {
  return std::all_of(recipe.expected.begin(), recipe.expected.end(),
                     [](const ExpectedFinding& finding) { return finding.severity == "note"; });
}

TEST(Bundled, CleanRecipesHaveNoProblems) {
  for (const Recipe& recipe : bundled()) {
    if (!clean(recipe)) continue;
    const auto block = parse_block(*build_bytes(recipe));
    ASSERT_TRUE(block) << recipe.name;
    for (const Error& problem : block->problems) ADD_FAILURE() << recipe.name << ": " << to_string(problem);
    EXPECT_EQ(block->size % 32, 0U);
    if (!recipe.breaks.empty()) continue;  // a nulled pointer leaves its section unnamed
    for (const Gap& gap : block->gaps)
      EXPECT_TRUE(std::all_of(gap.bytes.begin(), gap.bytes.end(), [](auto byte) { return byte == 0; }))
          << recipe.name << fmt::format(" has bytes nothing names at {:#x}", gap.at);
  }
}

}  // namespace
}  // namespace lockline::corpus
