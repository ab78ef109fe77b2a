#include <gtest/gtest.h>

#include <map>
#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "corpus/relayout.hpp"
#include "harness/diff.hpp"
#include "harness/exact.hpp"
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
  if (!worst(before.findings)) {
    EXPECT_FALSE(worst(after.findings));
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
  for (const char* name :
       {"face-body", "luigi-shape", "luigi-repacked", "face-no-terminator", "face-sk1-not-first"}) {
    const auto bytes = corpus::build_bytes(corpus::find(name).value()).value();
    const Block block = parse_block(bytes).value();
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
}

TEST(RepairOf, ARepackedLuigiIsLuigiAgain) {
  const auto luigi = corpus::build_bytes(corpus::find("luigi-shape").value()).value();
  const auto repacked = corpus::build_bytes(corpus::find("luigi-repacked").value()).value();
  const auto repaired = relaid(repacked).value().bytes;
  const Block a = parse_block(luigi).value(), b = parse_block(repaired).value();
  const DiffReport report = diff({luigi, a}, {repaired, b}, CheckOptions{}).value();
  EXPECT_EQ(report.count(VertexChange::moved), 0U);
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
  const std::uint64_t cases = tests::from_environment("LOCKLINE_CHECK_MUTATIONS", 2000),
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
