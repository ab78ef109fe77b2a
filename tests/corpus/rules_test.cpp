#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"

/// The seed's layout rules, checked here on the bytes of every clean recipe without the builder's own
/// arithmetic.
namespace lockline::corpus {
namespace {

struct Direct {
  std::string name;
  std::uint32_t destination, source, offset, count, limit;
  const std::vector<SkinVertex>* vertices;

  std::uint32_t bytes() const { return offset + count * 12; }
};

std::vector<Direct> directs(const Skn& skn) {
  std::vector<Direct> result;
  for (const auto& e : skn.sk1)
    result.push_back({"SK1", e.destination, e.source, e.vertex_offset, e.count, 8180, &e.vertices});
  for (const auto& e : skn.sk2)
    result.push_back({"SK2", e.destination, e.source, e.vertex_offset, e.count, 4088, &e.vertices});
  return result;
}

std::set<std::uint32_t> direct_slots(const Skn& skn) {
  std::set<std::uint32_t> slots;
  for (const Direct& e : directs(skn))
    for (std::uint32_t i = 0; i < e.count; ++i) slots.insert((e.destination + e.offset) / 12 + i);
  return slots;
}

std::set<std::uint32_t> accumulated_slots(const Skn& skn) {
  std::set<std::uint32_t> slots;
  const auto direct = direct_slots(skn);
  for (const auto& e : skn.acc)
    for (const std::uint32_t index : e.indices)
      if (!direct.contains(index + e.destination / 12)) slots.insert(index + e.destination / 12);
  return slots;
}

bool as_built(const Recipe& recipe) {
  return recipe.expected.empty() && recipe.breaks.empty() && recipe.body;
}

class CleanRecipe : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    bytes = *build_bytes(*find(GetParam()));
    block = *parse_block(bytes);
  }

  const Skn& skn() const { return *block.skn; }
  const PositionArray& positions() const { return *block.skinned_positions(); }

  std::vector<std::uint8_t> bytes;
  Block block;
};

TEST_P(CleanRecipe, DestinationsStartOnCacheLines) {
  EXPECT_EQ(positions().data_at % 32, 0U);
  for (const Direct& e : directs(skn())) {
    EXPECT_EQ(e.destination % 32, 0U);
    EXPECT_LT(e.offset, 12U);
    EXPECT_EQ((e.destination + e.offset) % 12, 0U);
  }
}

TEST_P(CleanRecipe, NoTwoEntriesShareALine) {
  std::map<std::uint32_t, std::string> owner;
  for (const Direct& e : directs(skn()))
    for (std::uint32_t line = e.destination / 32; line <= (e.destination + e.bytes() - 1) / 32; ++line)
      EXPECT_TRUE(owner.emplace(line, e.name).second) << "line " << line;
  for (const std::uint32_t slot : accumulated_slots(skn()))
    for (const std::uint32_t byte : {slot * 12, slot * 12 + 11})
      EXPECT_FALSE(owner.contains(byte / 32)) << slot;
}

TEST_P(CleanRecipe, CountsAndSizesAreInLimits) {
  for (const Direct& e : directs(skn())) {
    EXPECT_GE(e.count, 3U);
    EXPECT_LE(e.bytes(), e.limit);
  }
  for (const auto& e : skn().acc) {
    EXPECT_GE(e.count, 1U);
    EXPECT_LE(e.count, 341U);
  }
}

TEST_P(CleanRecipe, SourcesMirrorThePositionBuffer) {
  const std::uint32_t mirror = skn().variable_data_offset();
  for (const Direct& e : directs(skn())) EXPECT_EQ(e.source, mirror + e.destination);
  const auto stored = std::get<std::vector<std::int16_t>>(positions().values);
  for (const Direct& e : directs(skn()))
    for (std::uint32_t i = 0; i < e.count; ++i) {
      const std::uint32_t slot = (e.destination + e.offset) / 12 + i;
      if ((slot + 1) * 6 > stored.size()) continue;  // scratch
      EXPECT_TRUE(std::equal((*e.vertices)[i].begin(), (*e.vertices)[i].end(), stored.begin() + slot * 6))
          << slot;
    }
  for (const auto& e : skn().sk1) EXPECT_EQ(e.prefix, std::vector<std::uint8_t>(e.vertex_offset, 0));
}

TEST_P(CleanRecipe, ArraysAreAlignedAndInside) {
  const Skn& s = skn();
  const auto inside = [&](std::uint32_t pointer, std::size_t length) {
    EXPECT_EQ(pointer % 32, 0U);
    EXPECT_LE(pointer + length, s.size);
  };
  EXPECT_EQ(s.at % 32, 0U);
  for (const Direct& e : directs(s)) inside(e.source, e.bytes());
  for (const auto& e : s.sk2) inside(e.weights_pointer, e.count * 2U);
  for (const auto& e : s.acc) {
    inside(e.source, e.count * 12U);
    inside(e.indices_pointer, e.count * 2U);
    inside(e.weights_pointer, e.count);
  }
  if (s.flush_count != 0) inside(s.flush_pointer, s.flush_count * 2);
}

TEST_P(CleanRecipe, EntryArraysArePacked) {
  const Skn& s = skn();
  std::uint32_t end = 0x24;
  if (!s.sk1.empty()) {
    EXPECT_EQ(s.sk1_pointer, end);
  }
  end += s.sk1_count * 0x40U;
  if (!s.sk2.empty()) {
    EXPECT_EQ(s.sk2_pointer, end);
  }
  end += s.sk2_count * 0x74U;
  if (!s.acc.empty()) {
    EXPECT_EQ(s.acc_pointer, end);
  }
  end += s.acc_count * 0x44U;
  for (std::uint32_t i = s.at + end; i < s.at + s.variable_data_offset(); ++i) EXPECT_EQ(bytes[i], 0);
}

TEST_P(CleanRecipe, EntriesAscend) {
  const auto ascending = [](const auto& entries) {
    return std::is_sorted(entries.begin(), entries.end(),
                          [](const auto& a, const auto& b) { return a.destination < b.destination; });
  };
  EXPECT_TRUE(ascending(skn().sk1));
  EXPECT_TRUE(ascending(skn().sk2));
}

TEST_P(CleanRecipe, WeightsSumTo256) {
  std::map<std::uint32_t, std::uint32_t> sums;
  for (const auto& e : skn().sk2)
    for (std::uint32_t i = 0; i < e.count; ++i)
      sums[(e.destination + e.vertex_offset) / 12 + i] += e.weights[i][0] + e.weights[i][1];
  for (const auto& e : skn().acc)
    for (std::uint32_t i = 0; i < e.count; ++i) sums[e.indices[i]] += e.weights[i];
  for (const auto& [slot, sum] : sums) EXPECT_EQ(sum, 256U) << "slot " << slot;
}

TEST_P(CleanRecipe, MemClrCoversTheAccumulatedSlots) {
  const auto slots = accumulated_slots(skn());
  if (slots.empty()) {
    EXPECT_EQ(skn().memclr_pointer, 0U);
    EXPECT_EQ(skn().memclr_size, 0U);
    return;
  }
  const std::uint32_t low = *slots.begin() * 12, end = *slots.rbegin() * 12 + 12;
  EXPECT_EQ(skn().memclr_pointer, low);
  EXPECT_EQ(skn().memclr_size, (end - low + 31) / 32 * 32);
  // Cleared by whole lines, the range starts earlier and must still reach the last slot.
  EXPECT_GE(low / 32 * 32 + skn().memclr_size, end);
}

TEST_P(CleanRecipe, EveryAccumulatedLineIsFlushedOrCleared) {
  std::set<std::uint32_t> flushed;
  for (const std::uint32_t index : skn().flush) flushed.insert(index * 12 / 32);
  const std::uint32_t clear = skn().memclr_pointer, clear_end = clear + skn().memclr_size;
  std::set<std::uint32_t> touched;
  for (const auto& e : skn().acc)
    for (const std::uint32_t index : e.indices)
      for (const std::uint32_t byte : {index * 12, index * 12 + 11}) touched.insert(byte / 32);
  for (const std::uint32_t line : touched)
    EXPECT_TRUE(flushed.contains(line) || (line * 32 >= clear && (line + 1) * 32 <= clear_end)) << line;
  for (const std::uint32_t line : flushed) EXPECT_TRUE(touched.contains(line)) << line;
}

TEST_P(CleanRecipe, NothingElseStartsInTheWrittenRegion) {
  std::uint32_t end = positions().header.count * 12U;
  for (const Direct& e : directs(skn())) end = std::max(end, (e.destination + e.bytes() + 31) / 32 * 32);
  for (const std::uint32_t slot : accumulated_slots(skn())) end = std::max(end, slot * 12 + 12);
  end = std::max(end, skn().memclr_pointer + skn().memclr_size);
  const auto& layout = *block.gpl->submeshes[0].layout;
  const auto free = [&](std::uint32_t at) {
    EXPECT_FALSE(at > positions().data_at && at < positions().data_at + end) << fmt::format("{:#x}", at);
  };
  if (layout.colour) free(layout.colour->header.at);
  for (const auto& uv : layout.uvs) free(uv.header.at);
  free(layout.lighting->header.at);
  free(layout.display->at);
}

TEST_P(CleanRecipe, EveryDrawnVertexIsWritten) {
  const auto direct = direct_slots(skn()), accumulated = accumulated_slots(skn());
  for (const DisplayState& state : block.gpl->submeshes[0].layout->display->states) {
    if (!state.list) continue;
    EXPECT_TRUE(state.list->terminated);
    const std::size_t width = state.list->attributes.size();
    for (const Primitive& primitive : state.list->primitives)
      for (std::size_t i = 0; i < primitive.indices.size(); i += width)
        EXPECT_TRUE(direct.contains(primitive.indices[i]) || accumulated.contains(primitive.indices[i]));
  }
}

TEST_P(CleanRecipe, FacesRestOnWhatTheyMove) {
  if (!block.facial) return;
  for (const FacialObject& object : block.facial->objects)
    for (const FacialAttribute& attribute : object.attributes) {
      EXPECT_TRUE(attribute.terminated);
      std::vector<std::uint32_t> records;
      for (const FacialRun run : attribute.runs)
        for (std::uint32_t i = 0; i < run.length; ++i) records.push_back(run.first + i);
      ASSERT_EQ(records.size(), attribute.entries);
      EXPECT_TRUE(std::is_sorted(records.begin(), records.end()));
      if (attribute.kind != 1) continue;
      const auto& array = *block.gpl->submeshes[attribute.target].layout->position;
      const auto& values = std::get<std::vector<std::int16_t>>(array.values);
      for (std::size_t i = 0; i < records.size(); ++i)
        for (std::uint32_t c = 0; c < attribute.components; ++c)
          EXPECT_EQ(attribute.poses[0][i * attribute.components + c],
                    values[records[i] * attribute.components + c]);
    }
}

TEST_P(CleanRecipe, EveryRigidSubmeshHasOneOwner) {
  std::map<std::uint32_t, int> owners;
  for (const Bone& bone : block.act->bones)
    if (bone.geo_id != Bone::no_submesh) ++owners[bone.geo_id];
  for (std::uint32_t i = 0; i < block.gpl->submesh_count; ++i) EXPECT_EQ(owners[i], i == 0 ? 0 : 1) << i;
  EXPECT_EQ(owners.size(), block.gpl->submesh_count);
}

std::vector<std::string> clean_names() {
  std::vector<std::string> names;
  for (const Recipe& recipe : bundled())
    if (as_built(recipe)) names.push_back(recipe.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Bundled, CleanRecipe, testing::ValuesIn(clean_names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Luigi, Numbers) {
  const Block block = *parse_block(*build_bytes(*find("luigi-shape")));
  const Skn& skn = *block.skn;
  const auto direct = direct_slots(skn), accumulated = accumulated_slots(skn);
  const std::uint32_t slots = block.skinned_positions()->header.count;
  EXPECT_EQ(slots, 2808U);
  EXPECT_EQ(accumulated.size(), 40U);
  EXPECT_EQ(slots - direct.size() - accumulated.size(), 130U);
  EXPECT_EQ(std::count_if(skn.sk1.begin(), skn.sk1.end(), [](const auto& e) { return e.bone == 51; }), 2);
  const std::uint16_t order[] = {62, 27, 18, 20};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(skn.acc[i].bone, order[i]);
  std::set<std::uint32_t> pair_sums;
  for (const auto& e : skn.sk2)
    for (const auto& pair : e.weights) pair_sums.insert(pair[0] + pair[1]);
  for (const std::uint32_t sum : {77U, 115U, 205U, 256U}) EXPECT_TRUE(pair_sums.contains(sum)) << sum;
}

/// How many vertices of a facial object an entry of this bone (or pair) writes.
template <class Entries, class Match>
std::uint32_t written_by(const FacialObject& object, const Entries& entries, Match match) {
  std::uint32_t count = 0;
  for (const FacialRun run : object.attributes[0].runs)
    for (std::uint32_t slot = run.first; slot < run.first + run.length; ++slot)
      for (const auto& e : entries) {
        const std::uint32_t first = (e.destination + e.vertex_offset) / 12;
        if (match(e) && slot >= first && slot < first + e.count) ++count;
      }
  return count;
}

TEST(Luigi, Faces) {
  const Block block = *parse_block(*build_bytes(*find("luigi-shape")));
  const auto& objects = block.facial->objects;
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0].attributes[0].entries, 64U);
  EXPECT_EQ(objects[1].attributes[0].entries, 356U);
  const auto bone = [](std::uint16_t id) { return [id](const Sk1Entry& e) { return e.bone == id; }; };
  const auto neck = [](const Sk2Entry& e) { return e.bone1 == 50 && e.bone2 == 51; };
  EXPECT_EQ(written_by(objects[0], block.skn->sk1, bone(51)), 64U);
  EXPECT_EQ(written_by(objects[1], block.skn->sk1, bone(51)), 341U);
  EXPECT_EQ(written_by(objects[1], block.skn->sk2, neck), 12U);
  EXPECT_EQ(written_by(objects[1], block.skn->sk1, bone(18)), 3U);
}

TEST(Luigi, RepackedSourcesAre11EntriesEarly) {
  const Block good = *build(*find("luigi-shape")), bad = *build(*find("luigi-repacked"));
  std::vector<std::uint32_t> early;
  for (std::size_t i = 0; i < good.skn->sk2.size(); ++i)
    if (good.skn->sk2[i].source != bad.skn->sk2[i].source)
      early.push_back(good.skn->sk2[i].source - bad.skn->sk2[i].source);
  EXPECT_EQ(early.size(), 11U);
  EXPECT_EQ(early.front(), 0x20U);
  EXPECT_EQ(early.back(), 0x60U);
  for (std::size_t i = 0; i < good.skn->sk1.size(); ++i)
    EXPECT_EQ(good.skn->sk1[i].source, bad.skn->sk1[i].source);
}

TEST(MemClrPastEnd, Numbers) {
  const Block block = *parse_block(*build_bytes(*find("memclr-past-end")));
  EXPECT_EQ(block.skn->memclr_pointer, 0x9624U);
  EXPECT_EQ(block.skn->memclr_size, 0x140U);
  const auto& array = *block.skinned_positions();
  EXPECT_EQ(array.header.count, 3228U);
  EXPECT_EQ(block.skn->memclr_pointer + block.skn->memclr_size - array.header.count * 12U, 0x14U);
  EXPECT_EQ(block.gpl->submeshes[0].layout->colour->header.at, array.data_at + array.header.count * 12U);
}

TEST(Mario, Shape) {
  const Block block = *parse_block(*build_bytes(*find("mario-shape")));
  EXPECT_EQ(block.act->bone_count, 91);
  for (const FacialObject& object : block.facial->objects)
    for (const FacialAttribute& attribute : object.attributes) EXPECT_EQ(attribute.target, 2);
  EXPECT_EQ(block.facial->objects[0].attributes[1].kind, 2);
}

TEST(SkaccOnly, HasNoOtherEntry) {
  const Block block = *parse_block(*build_bytes(*find("acc-only")));
  EXPECT_EQ(block.skn->sk1_count + block.skn->sk2_count, 0);
  EXPECT_GT(block.skn->acc_count, 0);
}

}  // namespace
}  // namespace lockline::corpus
