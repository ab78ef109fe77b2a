#include "corpus/recipe.hpp"

#include <gtest/gtest.h>

#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"

namespace lockline::corpus {
namespace {

constexpr const char* small =
    R"({"name": "n", "description": "d", "body": {"groups": [{"bones": [1], "count": 5}]}})";

/// Where reading stops, as a JSON path.
std::string error_path(std::string_view json) {
  const auto recipe = read_recipe(json);
  return recipe ? "none" : recipe.error().structure;
}

TEST(Recipe, DefaultsAreClean) {
  const auto recipe = read_recipe(small);
  ASSERT_TRUE(recipe);
  EXPECT_TRUE(recipe->canonical);
  EXPECT_EQ(recipe->options.sk1_bytes, 8180U);
  EXPECT_TRUE(build(*recipe));
}

TEST(Recipe, ErrorsNameTheirPath) {
  EXPECT_EQ(error_path(R"([])"), "");
  EXPECT_EQ(error_path(R"({"description": "d"})"), "/name");
  EXPECT_EQ(error_path(R"({"name": 3, "description": "d"})"), "/name");
  EXPECT_EQ(error_path(R"({"name": "n", "description": "d", "colour": 1})"), "/colour");
  EXPECT_EQ(error_path(R"({"name": "n", "description": "d", "layout": "odd"})"), "/layout");
  EXPECT_EQ(error_path(R"({"name": "n", "description": "d", "skeleton": {"bones": 256}})"),
            "/skeleton/bones");
  EXPECT_EQ(error_path(R"({"name": "n", "description": "d", "skeleton": {"bones": -1}})"), "/skeleton/bones");
  EXPECT_EQ(error_path(R"({"name": "n", "description": "d", "body": {"groups": 5}})"), "/body/groups");
  EXPECT_EQ(error_path(R"({"name": "n", "description": "d", "body": {"groups": [{"bones": [1]}]}})"),
            "/body/groups/0/count");
  EXPECT_EQ(
      error_path(
          R"({"name": "n", "description": "d", "body": {"groups": [{"bones": [1, "x"], "count": 2}]}})"),
      "/body/groups/0/bones/1");
  EXPECT_EQ(
      error_path(R"({"name": "n", "description": "d", "body": {"groups": [{"bones": [1], "weights": [1, 2],
                           "count": 2}]}})"),
      "/body/groups/0/weights");
  EXPECT_EQ(
      error_path(R"({"name": "n", "description": "d", "expected": [{"rule": "r", "severity": "bad"}]})"),
      "/expected/0/severity");
  EXPECT_EQ(error_path(R"({"name": "n", "description": "d", "base": "nobody"})"), "/base");
}

TEST(Recipe, SyntaxErrorsNameTheirByte) {
  const auto recipe = read_recipe("{\"name\": ");
  ASSERT_FALSE(recipe);
  EXPECT_EQ(recipe.error().offset, 10U);
}

TEST(Recipe, BaseIsAmended) {
  const auto recipe =
      read_recipe(R"({"name": "n", "description": "d", "base": "luigi-repacked", "body": {"colours": 9},
                      "breaks": [{"break": "cut", "bytes": 32}]})");
  ASSERT_TRUE(recipe);
  EXPECT_EQ(recipe->body->colours, 9U);
  EXPECT_EQ(recipe->body->groups.size(), find("luigi-shape")->body->groups.size());
  ASSERT_EQ(recipe->breaks.size(), 2U);  // the base's come first
  EXPECT_EQ(recipe->breaks[0].name, "repack-sources");
  EXPECT_TRUE(recipe->expected.empty());  // a verdict is never inherited
}

Error build_error(std::string_view json) {
  const auto recipe = read_recipe(json);
  if (!recipe) return recipe.error();
  const auto block = build(*recipe);
  return block ? Error{} : block.error();
}

TEST(Build, FaceMustHaveSomethingToMove) {
  EXPECT_EQ(build_error(R"({"name": "n", "description": "d", "base": "plain-body",
                            "facial": {"objects": [{"parts": [{"group": 40, "count": 1}]}]}})")
                .code,
            ErrorCode::missing);
  EXPECT_EQ(build_error(R"({"name": "n", "description": "d", "base": "plain-body",
                            "facial": {"objects": [{"parts": [{"group": 0, "first": 15, "count": 6}]}]}})")
                .code,
            ErrorCode::missing);
  EXPECT_EQ(build_error(R"({"name": "n", "description": "d", "base": "plain-body",
                            "facial": {"objects": [{"submesh": 2, "vertices": 1}]}})")
                .code,
            ErrorCode::missing);
  EXPECT_EQ(build_error(R"({"name": "n", "description": "d", "base": "plain-body",
                            "facial": {"objects": [{"parts": [{"group": 0, "count": 1}], "supplement": 0}]}})")
                .message,
            "an SKAcc source that fits 6 x s8 records");
}

TEST(Build, WithoutABody) {
  const auto recipe = read_recipe(R"({"name": "n", "description": "d", "skeleton": {"bones": 3},
                                      "submeshes": [{"name": "bat", "vertices": 300, "bone": 1, "normals": 9}]})");
  const auto block = parse_block(*build_bytes(*recipe));
  ASSERT_TRUE(block);
  EXPECT_TRUE(block->problems.empty());
  EXPECT_FALSE(block->skn);
  EXPECT_EQ(block->act->bones[1].geo_id, 0);
}

TEST(Build, RestPosesOfEveryKind) {
  const Block block = *parse_block(*build_bytes(*find("mario-shape")));
  std::set<int> masks;
  for (const Bone& bone : block.act->bones) {
    const Control* control = block.act->control_of(bone);
    masks.insert(control == nullptr ? -1 : control->mask);
  }
  EXPECT_EQ(masks, (std::set<int>{-1, 0x08, 0x0A, 0x0C}));
}

TEST(Build, UserDataKinds) {
  const Block block = *parse_block(*build_bytes(*find("small-body")));
  ASSERT_EQ(block.act->user_data.size(), 2U);
  const auto& tracks = std::get<std::vector<std::uint16_t>>(block.act->user_data[0].data);
  const auto& mirror = std::get<std::vector<MirrorRole>>(block.act->user_data[1].data);
  EXPECT_EQ(tracks.size(), 12U);
  EXPECT_EQ(tracks[6], 0xFFFF);
  EXPECT_EQ(mirror.size(), 12U);
}

}  // namespace
}  // namespace lockline::corpus
