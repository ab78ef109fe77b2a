#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "corpus/relayout.hpp"
#include "harness/diff.hpp"
#include "harness/exact.hpp"
#include "harness/renumbering.hpp"
#include "tests/support/mutation.hpp"

/// Re-laid skins: what a layout can cure is cured, every vertex is where its weights put it, nothing else
/// changes.
namespace lockline::harness {
namespace {

std::vector<ExactVertex> exact_vertices(const corpus::Relayout& layout) {
  std::vector<ExactVertex> out;
  for (std::size_t i = 0; i < layout.before.size(); ++i) {
    ExactVertex v{layout.slots[i], layout.before[i].vertex.bind, {}};
    for (const corpus::BoneWeight w : layout.before[i].vertex.weights)
      v.weights.emplace_back(w.bone, w.weight);
    out.push_back(std::move(v));
  }
  return out;
}

Expected<corpus::Relayout> relaid(const std::vector<std::uint8_t>& bytes) {
  const auto block = parse_block(bytes);
  if (!block) return tl::unexpected(block.error());
  return corpus::relay_out(bytes, *block);
}

/// Whether a block draws what another did, each vertex from the slot it has now; else what does not.
std::string drawing_changed(const std::vector<std::uint8_t>& bytes, const corpus::Relayout& layout) {
  const Block before = parse_block(bytes).value(), after = parse_block(layout.bytes).value();
  const auto drawn = renumbering({bytes, before}, {layout.bytes, after});
  if (!drawn) return to_string(drawn.error());
  std::vector<SlotPair> moves;
  for (std::size_t i = 0; i < layout.before.size(); ++i)
    moves.push_back({layout.before[i].slot, layout.slots[i]});
  return std::ranges::includes(moves, *drawn) ? "" : "other vertices";
}

/// Vertices that move or turn otherwise in the second model, facial poses included.
std::size_t moved_otherwise(const std::vector<std::uint8_t>& first, const std::vector<std::uint8_t>& second) {
  const Block a = parse_block(first).value(), b = parse_block(second).value();
  const DiffReport report = diff({first, a}, {second, b}, CheckOptions{}).value();
  EXPECT_EQ(report.not_emulated, "");
  EXPECT_TRUE(report.faults.empty());
  return report.count(VertexChange::moved) + report.count(VertexChange::turned);
}

/// Rules about what no layout can change.
bool is_beyond_layout(std::string_view rule) {
  static const std::set<std::string_view> rules = {
      "act.tree",   "block.header", "block.read", "gpl.owned",     "gpl.components", "gpl.index",
      "face.pose0", "face.target",  "face.order", "skn.unwritten", "run.saturate"};
  return rules.contains(rule);
}

const std::set<std::string>& refused() {
  // What is meant is not known, or the rest of the model cannot follow. Names as in corpus/recipes.
  static const std::set<std::string> names = {"acc-index-wild",     "acc-weight-lost",      "acc-zero",
                                              "block-cut",          "bone-foreign-acc",     "bone-foreign",
                                              "bone-one-past",      "duplicate-lost",       "face-run-long",
                                              "face-sum",           "face-supplement-lost", "face-unwritten",
                                              "gpl-index-past",     "gpl-list-count",       "header-beyond",
                                              "header-count",       "header-descending",    "indices-outside",
                                              "offset-past-stride", "sk1-supplement",       "source-outside",
                                              "weights-outside",    "weights-over",         "weights-under"};
  return names;
}

class Repair : public testing::TestWithParam<std::string> {};

TEST_P(Repair, CuresWhatALayoutCan) {
  const auto recipe = corpus::find(GetParam()).value();
  const auto bytes = corpus::build_bytes(recipe).value();
  const auto layout = relaid(bytes);
  ASSERT_EQ(layout.has_value(), !refused().contains(GetParam())) << (layout ? "" : to_string(layout.error()));
  if (!layout) {
    EXPECT_FALSE(layout.error().message.empty());
    EXPECT_FALSE(layout.error().structure.empty());
    return;
  }
  const Block block = parse_block(layout->bytes).value();
  const CheckOptions options;
  const ExactResult proof =
      compare_exact(Subject(layout->bytes, block), exact_vertices(*layout), options).value();
  EXPECT_EQ(proof.frames, 9U);
  EXPECT_EQ(proof.beyond, 0U) << "slot " << proof.first_slot << " frame " << proof.first_frame;
  EXPECT_GT(proof.components, 0U);
  const CheckReport before = check(bytes, options).value(), after = check(layout->bytes, options).value();
  for (const Finding& f : after.findings) {
    if (f.severity < Severity::risk || is_beyond_layout(f.rule)) continue;
    // A face aimed at the wrong submesh goes on destroying it.
    EXPECT_EQ(GetParam(), "face-rigid-target") << f.rule << " " << f.structure << ": " << f.cause;
  }
  EXPECT_EQ(drawing_changed(bytes, *layout), "");
  if (!worst(before.findings)) {
    EXPECT_FALSE(worst(after.findings));
    EXPECT_EQ(moved_otherwise(bytes, layout->bytes), 0U);
  }
  // Once canonical, a model stays as it is.
  const auto again = relaid(layout->bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->bytes, layout->bytes);
}

std::vector<std::string> recipes_with_a_skin() {
  std::vector<std::string> out;
  for (const corpus::Recipe& recipe : corpus::bundled())
    if (recipe.body) out.push_back(recipe.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Corpus, Repair, testing::ValuesIn(recipes_with_a_skin()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

using Vertex = std::pair<SkinVertex, std::vector<std::pair<std::uint16_t, std::uint16_t>>>;
using Records = std::vector<std::int16_t>;

/// Which vertex every facial record of the skin moves, and how, in any order.
std::multiset<std::pair<Vertex, Records>> posed(const Block& block,
                                                const std::map<std::uint32_t, Vertex>& by_slot) {
  std::multiset<std::pair<Vertex, Records>> out;
  for (const FacialObject& object : block.facial->objects) {
    for (const FacialAttribute& a : object.attributes) {
      if (!corpus::moves_skin(block, a)) continue;
      std::size_t record = 0;
      for (const FacialRun& run : a.runs) {
        for (std::uint32_t slot = run.first; slot < run.first + run.length; ++slot, ++record) {
          Records values;
          for (const auto& pose : a.poses)
            values.insert(values.end(), pose.begin() + static_cast<std::ptrdiff_t>(record * 6),
                          pose.begin() + static_cast<std::ptrdiff_t>(record * 6 + 6));
          out.insert({by_slot.at(slot), values});
        }
      }
    }
  }
  return out;
}

TEST(RepairOf, FacesMovesTheSameVerticesByTheSameAmount) {
  std::size_t models = 0;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    const std::string& name = recipe.name;
    if (!recipe.body || refused().contains(name)) continue;
    const auto bytes = corpus::build_bytes(recipe).value();
    const Block block = parse_block(bytes).value();
    if (!block.facial || !slots_of_facial_objects(block).any) continue;
    ++models;
    const auto layout = corpus::relay_out(bytes, block).value();
    std::map<std::uint32_t, Vertex> before, after;
    const auto vertices = exact_vertices(layout);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      before[layout.before[i].slot] = {vertices[i].bind, vertices[i].weights};
      after[vertices[i].slot] = {vertices[i].bind, vertices[i].weights};
    }
    const auto expected = posed(block, before);
    EXPECT_FALSE(expected.empty()) << name;
    EXPECT_EQ(posed(parse_block(layout.bytes).value(), after), expected) << name;
  }
  EXPECT_GE(models, 9U);
}

/// Three bones, the heaviest of which accumulates: the canonical layout would write other bones directly, and
/// a pose moves only what is written directly.
TEST(RepairOf, VerticesWithAPoseKeepTheBonesThatCarryIt) {
  for (const char* extra : {"", R"(, "supplement": 0)"}) {
    const auto recipe = corpus::read_recipe(fmt::format(
        R"({{"name": "n", "description": "d", "layout": "vanilla", "body": {{"groups": [
             {{"bones": [1], "count": 24}},
             {{"bones": [1, 2, 3], "weights": [40, 96, 120], "count": 10, "extent": 100}}]}},
             "facial": {{"objects": [{{"poses": 4, "parts": [{{"group": 1, "count": 10}}]{}}}]}}}})",
        extra));
    const auto bytes = corpus::build_bytes(recipe.value()).value();
    const auto layout = relaid(bytes).value();
    const Block block = parse_block(layout.bytes).value();
    EXPECT_EQ(block.skn->sk2.at(0).bone1, 1U);
    EXPECT_EQ(block.skn->sk2.at(0).bone2, 2U);
    EXPECT_EQ(moved_otherwise(bytes, layout.bytes), 0U) << extra;
  }
}

/// A block whose sections start later, with bytes of their own before them.
std::vector<std::uint8_t> shifted(const std::vector<std::uint8_t>& bytes, std::uint32_t by) {
  std::vector<std::uint8_t> out(bytes.begin(), bytes.begin() + BlockHeader::bytes);
  for (std::size_t at = 4; at < BlockHeader::bytes; at += 4)
    if (const auto pointer = load_be<std::uint32_t>(&out[at]); pointer != 0) store_be(&out[at], pointer + by);
  out.insert(out.end(), by, 0xA5);
  out.insert(out.end(), bytes.begin() + BlockHeader::bytes, bytes.end());
  return out;
}

TEST(RepairOf, WhatLiesBeforeTheMeshesStays) {
  const auto built = corpus::build_bytes(corpus::find("luigi-repacked").value()).value();
  for (const std::uint32_t by : {4U, 32U}) {
    const auto bytes = shifted(built, by);
    const auto repaired = relaid(bytes).value().bytes;
    EXPECT_EQ(load_be<std::uint32_t>(&repaired[4]), BlockHeader::bytes + by);
    EXPECT_TRUE(std::equal(bytes.begin() + BlockHeader::bytes, bytes.begin() + BlockHeader::bytes + by,
                           repaired.begin() + BlockHeader::bytes));
    const auto report = check(repaired, CheckOptions{}).value();
    for (const Finding& f : report.findings)
      EXPECT_EQ(f.rule, "gpl.index") << f.cause;  // primitive lists that started off their line still do
  }
}

/// Run lists of a rigid submesh end too.
TEST(RepairOf, EveryRunListGetsItsEnd) {
  const auto recipe = corpus::read_recipe(
      R"({"name": "n", "description": "d", "body": {"groups": [{"bones": [1], "count": 24}]},
          "submeshes": [{"name": "head", "vertices": 9, "bone": 2}],
          "facial": {"terminators": false, "objects": [{"submesh": 1, "poses": 3, "vertices": 6}]}})");
  const auto bytes = corpus::build_bytes(recipe.value()).value();
  const auto has = [](const std::vector<std::uint8_t>& model) {
    const auto found = check(model, CheckOptions{}).value().findings;
    return std::ranges::any_of(found, [](const Finding& f) { return f.rule == "face.terminator"; });
  };
  EXPECT_TRUE(has(bytes));
  EXPECT_FALSE(has(relaid(bytes).value().bytes));
}

/// Another submesh that draws the skin's positions could not follow new slots.
TEST(RepairOf, AnotherMeshOnTheSkinsPositionsIsRefused) {
  auto bytes = corpus::build_bytes(corpus::find("luigi-repacked").value()).value();
  const Block block = parse_block(bytes).value();
  const Layout& other = *block.gpl->submeshes[1].layout;
  store_be(&bytes[other.position->header.at], block.skinned_positions()->data_at - other.at);
  const auto layout = relaid(bytes);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().structure, "GPL / submesh 1");
}

/// The comparison that the proof rests on sees each kind of change.
TEST(RepairOf, TheProofSeesOtherDrawing) {
  const auto bytes = corpus::build_bytes(corpus::find("luigi-repacked").value()).value();
  const auto good = relaid(bytes).value();
  ASSERT_EQ(drawing_changed(bytes, good), "");
  const Block block = parse_block(good.bytes).value();
  const auto with = [&](std::uint32_t at) {
    corpus::Relayout bad = good;
    bad.bytes[at] ^= 1;
    return drawing_changed(bytes, bad);
  };
  const Layout& skin = *block.gpl->submeshes[0].layout;
  const auto state =
      std::ranges::find_if(skin.display->states, [](const auto& s) { return s.list.has_value(); });
  ASSERT_NE(state, skin.display->states.end());
  constexpr std::uint32_t primitive_header = 3;
  EXPECT_EQ(with(state->list->at + primitive_header + 1), "other vertices");
  EXPECT_NE(with(state->list->at + 2), "") << "a primitive's count";
  EXPECT_NE(with(skin.colour->data_at).find("submesh 0 / colours"), std::string::npos);
  EXPECT_NE(with(block.gpl->submeshes[1].layout->position->data_at).find("submesh 1 / positions"),
            std::string::npos);
  EXPECT_NE(with(block.act->bones[1].at).find("ACT / bone 1"), std::string::npos);
  EXPECT_EQ(with(skin.position->data_at), "") << "what the slots hold is the frames' to prove";
}

TEST(RepairOf, ARepackedLuigiIsLuigiAgain) {
  const auto luigi = corpus::build_bytes(corpus::find("luigi-shape").value()).value();
  const auto repacked = corpus::build_bytes(corpus::find("luigi-repacked").value()).value();
  EXPECT_EQ(moved_otherwise(luigi, relaid(repacked).value().bytes), 0U);
}

TEST(RepairOf, OtherSectionsKeepTheirBytes) {
  const auto bytes = corpus::build_bytes(corpus::find("luigi-repacked").value()).value();
  const auto repaired = relaid(bytes).value().bytes;
  const Block a = parse_block(bytes).value(), b = parse_block(repaired).value();
  const auto section = [](const std::vector<std::uint8_t>& all, std::uint32_t at, std::uint32_t size) {
    return std::vector<std::uint8_t>(all.begin() + at, all.begin() + at + size);
  };
  EXPECT_EQ(section(repaired, b.act->at, b.act->size), section(bytes, a.act->at, a.act->size));
  ASSERT_EQ(a.tex.has_value(), b.tex.has_value());
  if (a.tex) {
    EXPECT_EQ(a.tex->content.bytes, b.tex->content.bytes);
  }
  for (std::size_t s = 1; s < a.gpl->submeshes.size(); ++s) {
    EXPECT_EQ(a.gpl->submeshes[s].layout->position->values, b.gpl->submeshes[s].layout->position->values);
    EXPECT_EQ(a.gpl->submeshes[s].name->text, b.gpl->submeshes[s].name->text);
  }
  EXPECT_EQ(a.gpl->submeshes[0].layout->colour->packed, b.gpl->submeshes[0].layout->colour->packed);
}

TEST(RepairOf, DamagedModelsIsRefusedOrProved) {
  const std::uint64_t cases = tests::from_environment("LOCKLINE_CHECK_MUTATIONS", 700),
                      seed = tests::from_environment("LOCKLINE_SEED", 7);
  RecordProperty("seed", std::to_string(seed));
  SplitMix64 random(seed);
  const auto models = tests::small_models();
  std::size_t done = 0;
  CheckOptions options;
  options.poses.random_poses = 1;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto bytes = tests::mutate(models[random.below(static_cast<std::uint32_t>(models.size()))], random);
    const auto layout = relaid(bytes);
    if (!layout) continue;
    const auto block = parse_block(layout->bytes);
    ASSERT_TRUE(block) << i;
    const auto proof = compare_exact(Subject(layout->bytes, *block), exact_vertices(*layout), options);
    ++done;
    if (proof && !proof->stopped) {
      EXPECT_EQ(proof->beyond, 0U) << "seed " << seed << " case " << i;
    }
  }
  EXPECT_GT(done, cases / 10);
}

}  // namespace
}  // namespace lockline::harness
