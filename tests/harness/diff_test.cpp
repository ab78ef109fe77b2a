#include "harness/diff.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/diff_json.hpp"
#include "tests/support/mutation.hpp"

namespace lockline::harness {
namespace {

struct Model {
  std::vector<std::uint8_t> bytes;
  Block block;
};

Model model_of(std::vector<std::uint8_t> bytes) {
  Block block = parse_block(bytes).value();
  return {std::move(bytes), std::move(block)};
}

Model made(const corpus::Recipe& recipe) {
  return model_of(corpus::build_bytes(recipe).value());
}

Model made(const std::string& name) {
  return made(corpus::find(name).value());
}

DiffReport diff_of(const Model& donor, const Model& patched, const CheckOptions& options = {}) {
  return diff({donor.bytes, donor.block}, {patched.bytes, patched.block}, options).value();
}

std::vector<std::string> names_of(const auto& list) {
  std::vector<std::string> out;
  for (const auto& element : list) out.push_back(element.name);
  return out;
}

bool is_clean(const corpus::Recipe& recipe) {
  return recipe.description.ends_with("clean");
}

/// The pose records of the same bind vertices get the same displacements: the builder draws them by slot.
void copy_displacements(const Block& donor, Block& twin) {
  using Record = std::vector<std::int16_t>;
  if (!donor.facial) return;
  for (std::size_t o = 0; o < donor.facial->objects.size(); ++o) {
    for (std::size_t a = 0; a < donor.facial->objects[o].attributes.size(); ++a) {
      const FacialAttribute& from = donor.facial->objects[o].attributes[a];
      FacialAttribute& to = twin.facial->objects[o].attributes[a];
      std::map<Record, std::size_t> by_bind;
      for (std::size_t at = 0; at + from.components <= from.poses[0].size(); at += from.components) {
        const auto record = from.poses[0].begin() + static_cast<std::ptrdiff_t>(at);
        by_bind[Record(record, record + from.components)] = at;
      }
      for (std::size_t at = 0; at + to.components <= to.poses[0].size(); at += to.components) {
        const auto record = to.poses[0].begin() + static_cast<std::ptrdiff_t>(at);
        const std::size_t source = by_bind.at(Record(record, record + to.components));
        for (std::size_t p = 1; p < to.poses.size(); ++p)
          std::copy_n(from.poses[p].begin() + static_cast<std::ptrdiff_t>(source), to.components,
                      to.poses[p].begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }
}

/// The same weighted vertices in the other layout: canonical for vanilla, and the other way round.
Model relaid(corpus::Recipe recipe) {
  const Block donor = corpus::build(recipe).value();
  recipe.canonical = !recipe.canonical;
  recipe.options.sort_acc = recipe.canonical;
  Block twin = corpus::build(recipe).value();
  copy_displacements(donor, twin);
  return model_of(serialize(twin));
}

bool is_drawn(const Block& block, std::uint32_t slot) {
  const auto drawn = drawn_slots(block);
  return std::binary_search(drawn.begin(), drawn.end(), slot);
}

class Rebuild : public testing::TestWithParam<std::string> {};

TEST_P(Rebuild, MovesNoVertex) {
  const corpus::Recipe recipe = corpus::find(GetParam()).value();
  const DiffReport report = diff_of(made(recipe), relaid(recipe));
  EXPECT_GT(report.frames, 0U);
  EXPECT_EQ(report.count(VertexChange::moved), 0U) << diff_text({"donor", "twin"}, report, false);
  EXPECT_EQ(report.count(VertexChange::turned), 0U);
  EXPECT_EQ(report.matched.size(), 1U) << "by slot, or by bind pose and weights";
  EXPECT_LE(report.matched.begin()->first, MatchedBy::bind_weights);
  for (const std::uint32_t slot : report.removed)
    EXPECT_FALSE(is_drawn(made(recipe).block, slot)) << "padding";
  EXPECT_EQ(report.added_drawn, std::vector<std::uint32_t>{}) << "padding repeats a vertex, undrawn";
  EXPECT_TRUE(report.faults.empty());
  EXPECT_TRUE(report.entries.empty() && report.bones.empty());
  double steps = 0;
  for (const VertexDiff& v : report.vertices) steps = std::max(steps, v.steps);
  RecordProperty("vertices", static_cast<int>(report.patched.vertices));
  RecordProperty("by_slot", report.by_slot);
  RecordProperty("rounded", static_cast<int>(report.count(VertexChange::rounded)));
  RecordProperty("largest", std::to_string(steps));
}

std::vector<std::string> clean_recipes_with_a_skin() {
  std::vector<std::string> out;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    if (recipe.body && is_clean(recipe)) out.push_back(recipe.name);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Clean, Rebuild, testing::ValuesIn(clean_recipes_with_a_skin()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RebuildOf, TheGamesShapesIsAmongThem) {
  const auto names = clean_recipes_with_a_skin();
  for (const char* name : {"luigi-shape", "mario-shape", "acc-only", "face-body"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST(RebuildOf, AccumulatedVerticesRoundsOtherwiseAndSaysSo) {
  const corpus::Recipe recipe = corpus::find("acc-only").value();
  const DiffReport report = diff_of(made(recipe), relaid(recipe));
  EXPECT_FALSE(report.by_slot);
  EXPECT_GT(report.count(VertexChange::rounded), 0U) << "SKAcc passes truncate, one SK2 write less often";
  EXPECT_TRUE(report.differs());
}

TEST(Diff, EveryModelAgainstItselfIsTheSame) {
  CheckOptions options;
  options.poses.random_poses = 1;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    const auto bytes = corpus::build_bytes(recipe).value();
    if (!parse_block(bytes)) continue;
    const Model model = model_of(bytes);
    const DiffReport report = diff_of(model, model, options);
    EXPECT_TRUE(report.by_slot) << recipe.name;
    EXPECT_TRUE(report.vertices.empty() && report.structures.empty() && report.findings.empty())
        << recipe.name;
    for (const OverwriteDiff& o : report.overwrites) EXPECT_TRUE(o.in_donor) << recipe.name << o.name;
    EXPECT_EQ(report.differs(), !report.faults.empty()) << recipe.name;
  }
}

// The seed's Luigi: sources packed back to back. SK2(50,51) holds 12 facial vertices, and they move.
TEST(Diff, SourcesOffTheMirrorMoveTheFacialVertices) {
  const DiffReport report = diff_of(made("luigi-shape"), made("luigi-repacked"));
  EXPECT_TRUE(report.by_slot);
  EXPECT_EQ(report.count(VertexChange::moved), 14U);
  EXPECT_EQ(names_of(report.entries), (std::vector<std::string>{"SK2[39]", "SK2[40]", "SKAcc[8]"}));
  EXPECT_EQ(report.entries[0].moved, 12U);
  EXPECT_EQ(report.entries[0].vertices, 12U);
  EXPECT_GT(report.entries[0].steps, 1000);
  EXPECT_EQ(report.entries[0].first, (FrameRef{0, "rest"}));
  EXPECT_EQ(units(report, 2048), std::ldexp(2048.0, -report.patched.shift));
  const auto has = [&](std::string_view rule) {
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [&](const Finding& f) { return f.rule == rule; });
  };
  EXPECT_TRUE(has("skn.mirror"));
  EXPECT_TRUE(has("run.stale"));
}

/// plain-body with one byte range of its file changed.
Model plain_body_with(const std::function<void(std::vector<std::uint8_t>&, const Block&)>& change) {
  Model model = made("plain-body");
  change(model.bytes, model.block);
  return model_of(std::move(model.bytes));
}

void add(std::vector<std::uint8_t>& bytes, std::uint32_t at, std::int16_t steps) {
  store_be(&bytes[at], static_cast<std::int16_t>(load_be<std::int16_t>(&bytes[at]) + steps));
}

TEST(Diff, AMovedSourceIsReportedByEntryAndBoneInStepsAndUnits) {
  const Model patched = plain_body_with([](auto& bytes, const Block& block) {
    const Sk1Entry& e = block.skn->sk1[1];
    add(bytes, e.source_at + e.vertex_offset + 2 * vertex_stride, 3);      // x of its vertex 2
    add(bytes, e.source_at + e.vertex_offset + 2 * vertex_stride + 2, 4);  // y
    add(bytes, e.source_at + e.vertex_offset + 5 * vertex_stride + 6, 1);  // nx of its vertex 5
  });
  CheckOptions options;
  options.poses.random_poses = 0;
  const Model donor = made("plain-body");
  const DiffReport report = diff_of(donor, patched, options);
  ASSERT_EQ(report.vertices.size(), 2U);
  const Sk1Entry& e = donor.block.skn->sk1[1];
  const std::uint32_t first = (e.destination + e.vertex_offset) / vertex_stride;
  EXPECT_EQ(report.vertices[0].slot, first + 2);
  EXPECT_EQ(report.vertices[0].change, VertexChange::moved);
  EXPECT_EQ(report.vertices[0].steps, 5.0);
  EXPECT_EQ(report.vertices[1].slot, first + 5);
  EXPECT_EQ(report.vertices[1].change, VertexChange::turned);
  ASSERT_EQ(names_of(report.entries), std::vector<std::string>{"SK1[1]"});
  EXPECT_EQ(report.entries[0].moved, 1U);
  EXPECT_EQ(report.entries[0].turned, 1U);
  EXPECT_EQ(report.entries[0].vertices, e.count);
  EXPECT_EQ(report.entries[0].steps, 5.0);
  EXPECT_EQ(names_of(report.bones), std::vector<std::string>{"bone " + std::to_string(e.bone)});
  EXPECT_EQ(units(report, report.entries[0].steps), 5.0 / 2048);
  EXPECT_EQ(selection_text(report, 0xFFFF), "slot\tobject vertex\tdistance\n" + std::to_string(first + 2) +
                                                "\t" + std::to_string(first + 2) + "\t0.00244140625\n");
  EXPECT_NE(selection_text(report, first + 2).find("\t-\t"), std::string::npos) << "past the stored records";
}

TEST(Diff, StructuresAreComparedByNameBeforeAnyFrame) {
  const Model patched = plain_body_with([](auto& bytes, const Block& block) {
    const ColourArray& colours = *block.gpl->submeshes[0].layout->colour;
    bytes[colours.data_at] ^= 0xFF;
    bytes[colours.data_at + 3] ^= 1;
  });
  const DiffReport report = diff_of(made("plain-body"), patched);
  ASSERT_EQ(names_of(report.structures), std::vector<std::string>{"GPL / submesh 0 / colours"});
  EXPECT_EQ(report.structures[0].differing, 2U);
  EXPECT_EQ(report.structures[0].first, 0U);
  EXPECT_TRUE(report.vertices.empty());
  EXPECT_TRUE(report.differs());
}

TEST(Diff, StructuresOnlyOneModelHasAreNamed) {
  corpus::Recipe recipe = corpus::find("plain-body").value();
  recipe.body->colours = 0;
  const Model without = made(recipe);
  const auto gone = diff_of(made("plain-body"), without).structures;
  const auto find = [](const auto& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& s) { return s.name == name; });
    return found == list.end() ? StructureDiff{} : *found;
  };
  EXPECT_EQ(find(gone, "GPL / submesh 0 / colour header").patched_bytes, 0U);
  EXPECT_EQ(find(gone, "GPL / submesh 0 / colour header").donor_bytes, 8U);
  const auto come = diff_of(without, made("plain-body")).structures;
  EXPECT_EQ(find(come, "GPL / submesh 0 / colour header").patched_bytes, 8U);
  EXPECT_EQ(find(come, "GPL / submesh 0 / colour header").donor_bytes, 0U);
}

TEST(Diff, AnOverwrittenHeaderIsNamedWithItsAuthorAndFrame) {
  const DiffReport report = diff_of(made("plain-body"), made("writeback-colour-header"));
  ASSERT_FALSE(report.overwrites.empty());
  EXPECT_EQ(report.overwrites[0].name, "GPL / submesh 0 / colour header");
  EXPECT_EQ(emu::to_string(report.overwrites[0].author), "SK1[1] write-back");
  EXPECT_EQ(report.overwrites[0].frame, (FrameRef{0, "rest"}));
  EXPECT_FALSE(report.overwrites[0].in_donor);
}

TEST(Diff, GoesOnUpToAFaultInEither) {
  const Model clean = made("plain-body"), broken = made("sk1-one-odd");
  for (const bool in_patched : {true, false}) {
    const DiffReport report = in_patched ? diff_of(clean, broken) : diff_of(broken, clean);
    ASSERT_EQ(report.faults.size(), 1U);
    EXPECT_EQ(report.faults[0].in_patched, in_patched);
    EXPECT_EQ(report.faults[0].frame, (FrameRef{0, "rest"}));
    EXPECT_EQ(report.faults[0].fault.dolphin_line(), "Invalid read from 0xe0040000, PC = 0x80523ec4");
    EXPECT_EQ(report.frames, 0U);
    EXPECT_EQ(report.poses, 0U);
  }
}

TEST(Diff, ExtraBonesStayAtRest) {
  corpus::Recipe recipe = corpus::find("plain-body").value();
  const Model donor = made(recipe);
  ++recipe.skeleton.bones;
  const Model patched = made(recipe);
  for (const auto& report : {diff_of(donor, patched), diff_of(patched, donor)}) {
    EXPECT_TRUE(report.faults.empty());
    EXPECT_TRUE(report.vertices.empty());
    EXPECT_TRUE(report.differs()) << "in their skeletons";
  }
}

TEST(Diff, FindingsOfTheDonorAreNoNews) {
  const Model duplicates = made("duplicates"), broken = made("memclr-over-sk1");
  const auto rules = [](const DiffReport& report) {
    std::set<std::string_view> out;
    for (const Finding& f : report.findings) out.insert(f.rule);
    return out;
  };
  EXPECT_TRUE(rules(diff_of(duplicates, broken)).contains("skn.memclr.range"));
  EXPECT_FALSE(rules(diff_of(broken, duplicates)).contains("skn.memclr.range"));
}

TEST(Diff, WithoutASkinOnlyTheFilesAreCompared) {
  corpus::Recipe recipe = corpus::find("plain-body").value();
  recipe.body.reset();
  const Model rigid = made(recipe);
  const DiffReport report = diff_of(rigid, rigid);
  EXPECT_NE(report.not_emulated, "");
  EXPECT_FALSE(report.differs());
  const DiffReport lost = diff_of(made("plain-body"), rigid);
  EXPECT_EQ(lost.removed.size(), lost.donor.vertices);
}

/// Damaged models: any outcome but a crash, a hang or a different answer the second time.
/// LOCKLINE_DIFF_MUTATIONS sets the number of cases (default 400), LOCKLINE_SEED the seed.
TEST(Diff, SurvivesDamagedModelsAndAnswersTwiceTheSame) {
  const std::uint64_t cases = tests::from_environment("LOCKLINE_DIFF_MUTATIONS", 150),
                      seed = tests::from_environment("LOCKLINE_SEED", 1);
  RecordProperty("seed", std::to_string(seed));
  SplitMix64 random(seed);
  const auto models = tests::small_models();
  ASSERT_FALSE(models.empty());
  CheckOptions options;
  options.poses.random_poses = 1;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto& donor = models[random.below(static_cast<std::uint32_t>(models.size()))];
    const auto patched = tests::mutate(
        random.below(2) == 0 ? donor : models[random.below(static_cast<std::uint32_t>(models.size()))],
        random);
    const auto donor_block = parse_block(donor), patched_block = parse_block(patched);
    if (!donor_block || !patched_block) continue;
    const DiffInput a{donor, *donor_block}, b{patched, *patched_block};
    const auto report = diff(a, b, options);
    if (!report || i % 16 != 0) continue;
    const DiffNames names{"donor", "patched"};
    ASSERT_EQ(diff_json(names, *report, options), diff_json(names, *diff(a, b, options), options))
        << "seed " << seed << " case " << i;
    ASSERT_FALSE(diff_text(names, *report, false).empty());
  }
}

}  // namespace
}  // namespace lockline::harness
