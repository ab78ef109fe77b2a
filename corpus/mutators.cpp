#include "corpus/mutators.hpp"

#include <algorithm>

namespace lockline::corpus {
namespace {

using Json = nlohmann::json;
using Made = std::optional<std::vector<BreakRecipe>>;

BreakRecipe set(const char* field, std::size_t at, std::int64_t value, std::size_t element = 0) {
  return {"set", Json{{"field", field}, {"at", at}, {"element", element}, {"value", value}}};
}

BreakRecipe add(const char* field, std::size_t at, std::int64_t value, std::size_t element = 0) {
  return {"set", Json{{"field", field}, {"at", at}, {"element", element}, {"add", value}}};
}

std::size_t any(const auto& list, SplitMix64& random) {
  return random.below(static_cast<std::uint32_t>(list.size()));
}

Made few_vertices(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->sk1.empty() || !block.skn->acc.empty()) return std::nullopt;
  const std::size_t at = any(block.skn->sk1, random);
  if (block.skn->sk1[at].count < 3) return std::nullopt;
  return {{set("sk1.count", at, random.below(2))}};
}

Made few_pairs(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->sk2.empty() || !block.skn->acc.empty()) return std::nullopt;
  return {{set("sk2.count", any(block.skn->sk2, random), random.below(2))}};
}

Made no_supplements(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->acc.empty()) return std::nullopt;
  return {{set("acc.count", any(block.skn->acc, random), 0)}};
}

Made foreign_bone(const Block& block, SplitMix64& random) {
  if (!block.skn || !block.act || block.skn->sk1.empty()) return std::nullopt;
  return {{set("sk1.bone", any(block.skn->sk1, random), block.act->bone_count + random.below(100))}};
}

Made foreign_pair(const Block& block, SplitMix64& random) {
  if (!block.skn || !block.act || block.skn->sk2.empty()) return std::nullopt;
  return {{set(random.below(2) == 0 ? "sk2.bone1" : "sk2.bone2", any(block.skn->sk2, random),
               block.act->bone_count + random.below(100))}};
}

Made wrong_weight(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->sk2.empty()) return std::nullopt;
  const std::size_t at = any(block.skn->sk2, random), vertex = any(block.skn->sk2[at].weights, random);
  const std::int64_t by = block.skn->sk2[at].weights[vertex][0] > 128
                              ? -1 - static_cast<std::int64_t>(random.below(100))
                              : 1 + random.below(100);
  return {{add("sk2.weight1", at, by, vertex)}};
}

Made between_slots(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->sk1.size() < 2) return std::nullopt;
  const std::size_t at = 1 + random.below(static_cast<std::uint32_t>(block.skn->sk1.size() - 1));
  return {{add("sk1.destination", at, 4 * (1 + random.below(7)))}};
}

Made no_clear(const Block& block, SplitMix64&) {
  if (!block.skn || block.skn->memclr_size == 0 || block.skn->acc.empty()) return std::nullopt;
  return {{set("skn.memclr_size", 0, 0)}};
}

Made clear_all(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->acc.empty() || block.skn->sk1.empty()) return std::nullopt;
  const Sk1Entry& e = block.skn->sk1[any(block.skn->sk1, random)];
  return {
      {set("skn.memclr_pointer", 0, e.destination), set("skn.memclr_size", 0, 32 * (1 + random.below(3)))}};
}

Made wrong_shift(const Block& block, SplitMix64& random) {
  if (!block.skn) return std::nullopt;
  return {{set("skn.quantize_info", 0, (block.skn->quantize_info + 1 + random.below(7)) % 15)}};
}

Made high_nibble(const Block& block, SplitMix64& random) {
  if (!block.skn) return std::nullopt;
  return {{set("skn.quantize_info", 0, block.skn->quantize_info | (1 + random.below(3)) << 4)}};
}

Made foreign_submesh(const Block& block, SplitMix64& random) {
  if (!block.act || !block.gpl) return std::nullopt;
  return {{set("bone.geo_id", any(block.act->bones, random), block.gpl->submesh_count + random.below(100))}};
}

Made skinned_rigidly(const Block& block, SplitMix64& random) {
  if (!block.act || !block.skn) return std::nullopt;
  return {{set("bone.geo_id", any(block.act->bones, random), 0)}};
}

Made wrong_id(const Block& block, SplitMix64& random) {
  if (!block.act || block.act->bones.size() < 2) return std::nullopt;
  const std::size_t at = any(block.act->bones, random);
  return {{add("bone.id", at, 1 + random.below(3))}};
}

Made source_far_away(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->sk1.empty()) return std::nullopt;
  return {{set("sk1.source", any(block.skn->sk1, random),
               (block.size + 0x1000U + random.below(0x1000)) / 32 * 32)}};
}

Made indices_far_away(const Block& block, SplitMix64& random) {
  if (!block.skn || block.skn->acc.empty()) return std::nullopt;
  return {{set("acc.indices", any(block.skn->acc, random),
               (block.size + 0x1000U + random.below(0x1000)) / 32 * 32)}};
}

Made more_records(const Block& block, SplitMix64& random) {
  if (!block.facial || block.facial->objects.empty()) return std::nullopt;
  return {{add("face.entries", any(block.facial->objects, random), 1)}};
}

Made foreign_target(const Block& block, SplitMix64& random) {
  if (!block.facial || block.facial->objects.empty() || !block.gpl) return std::nullopt;
  return {
      {set("face.target", any(block.facial->objects, random), block.gpl->submesh_count + random.below(50))}};
}

/// What any entry that loses its place or its vertices can lead to.
const std::vector<std::string_view> lost_place = {
    "skn.unwritten",    "skn.exclusive", "skn.acc.exclusive", "skn.offset",  "skn.mirror",    "skn.weights",
    "skn.memclr.range", "face.written",  "face.mirror",       "gpl.scratch", "gpl.writeback", "run.stale",
    "run.drift",        "run.overwrite", "run.draw",          "run.fault",   "block.read"};

std::vector<Mutator> make_table() {
  return {
      {"few-vertices",
       "An SK1 entry of no or one vertex",
       {"skn.count.min", "run.fault"},
       {"skn.unwritten", "face.written", "run.stale"},
       few_vertices},
      {"few-pairs",
       "An SK2 entry of no or one vertex",
       {"skn.count.min", "run.fault"},
       {"skn.unwritten", "face.written", "run.stale"},
       few_pairs},
      {"no-supplements",
       "An SKAcc entry without vertices",
       {"skn.count.acc-zero", "run.fault"},
       {"skn.weights", "skn.unwritten", "skn.memclr.range", "face.target", "face.mirror", "run.stale",
        "run.overwrite", "run.draw"},
       no_supplements},
      {"foreign-bone",
       "An SK1 entry names a bone the skeleton does not have",
       {"skn.bone.range", "run.fault"},
       {},
       foreign_bone},
      {"foreign-pair",
       "An SK2 entry names a bone the skeleton does not have",
       {"skn.bone.range", "run.fault"},
       {},
       foreign_pair},
      {"wrong-weight", "One weight of an SK2 pair differs", {"skn.weights"}, {}, wrong_weight},
      {"between-slots",
       "An SK1 entry's destination is off its cache line",
       {"skn.align.dest"},
       lost_place,
       between_slots},
      {"no-clear",
       "memClr is empty",
       {"skn.memclr.range"},
       {"run.drift", "run.stale", "run.saturate"},
       no_clear},
      {"clear-entry",
       "memClr lies over an SK1 entry",
       {"skn.memclr.range"},
       {"run.drift", "run.stale"},
       clear_all},
      {"wrong-shift", "The quantize info is another shift", {"skn.shift"}, {"run.stale"}, wrong_shift},
      {"high-nibble", "The quantize info has a high nibble", {"skn.shift"}, {"run.stale"}, high_nibble},
      {"foreign-submesh", "A bone draws a submesh past the last", {"gpl.owned"}, {}, foreign_submesh},
      {"skinned-rigidly", "A bone draws the skinned submesh", {"gpl.owned"}, {}, skinned_rigidly},
      {"wrong-id", "A bone has another's id", {"act.tree"}, {"gpl.owned"}, wrong_id},
      {"source-far-away",
       "An SK1 entry's source lies outside the block",
       {"skn.bounds"},
       {"skn.mirror", "face.mirror", "run.stale", "run.overwrite"},
       source_far_away},
      {"indices-far-away",
       "An SKAcc entry's indices lie outside the block",
       {"skn.bounds"},
       {"skn.weights", "skn.unwritten", "skn.memclr.range", "run.stale", "run.overwrite", "run.drift",
        "run.draw", "run.fault"},
       indices_far_away},
      {"more-records",
       "A facial record announces one vertex more",
       {"face.sum"},
       {"block.read"},
       more_records},
      {"foreign-target",
       "A facial record aims past the last submesh",
       {"face.target"},
       {"face.mirror"},
       foreign_target},
  };
}

}  // namespace

std::span<const Mutator> mutators() {
  static const std::vector<Mutator> table = make_table();
  return table;
}

}  // namespace lockline::corpus
