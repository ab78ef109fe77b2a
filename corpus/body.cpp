#include "corpus/body.hpp"

#include <algorithm>
#include <cmath>

namespace lockline::corpus {
namespace {

std::vector<BoneWeight> weights_of(const GroupRecipe& group, SplitMix64& random) {
  std::vector<BoneWeight> weights;
  if (!group.weights.empty()) {
    for (std::size_t i = 0; i < group.bones.size(); ++i)
      weights.push_back({group.bones[i], group.weights[i]});
    return weights;
  }
  std::vector<BoneShare> shares;
  for (const std::uint16_t bone : group.bones) shares.push_back({bone, 16.0 + random.below(240)});
  return quantize_weights(shares);
}

/// A group as it stands: the first bones listed are written directly, the others accumulate.
Run vanilla_run(const GroupRecipe& group, std::uint32_t first) {
  Run run;
  run.hole = group.hole;
  run.kind = group.bones.size() > 1 ? RunKind::sk2 : RunKind::sk1;
  if (group.accumulated) run.kind = RunKind::accumulated;
  if (group.unwritten) run.kind = RunKind::unwritten;
  if (!group.bones.empty()) run.bone1 = group.bones[0];
  if (group.bones.size() > 1) run.bone2 = group.bones[1];
  for (std::uint32_t i = 0; i < group.count; ++i) run.vertices.push_back(first + i);
  return run;
}

void choose_slots(const std::vector<GroupRecipe>& groups, Body& body) {
  const auto& layout = body.layout;
  bool all_stored = true;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::uint32_t i = 0; i < groups[g].count; ++i) {
      const std::uint32_t slot = layout.slots[body.group_first[g] + i];
      if (slot == SkinLayout::no_slot) continue;
      if (groups[g].drawn) body.drawn.push_back(slot);
      if (groups[g].stored) body.stored = std::max(body.stored, slot + 1);
    }
    all_stored = all_stored && groups[g].stored;
  }
  std::sort(body.drawn.begin(), body.drawn.end());
  if (all_stored) body.stored = static_cast<std::uint32_t>(layout.positions.size());
}

}  // namespace

SkinVertex random_vertex(SplitMix64& random, std::int32_t extent, std::uint8_t shift) {
  SkinVertex vertex{};
  for (int i = 0; i < 3; ++i) vertex[i] = static_cast<std::int16_t>(random.around(extent));
  float normal[3], square = 0;
  for (float& n : normal) {
    n = random.unit() * 2 - 1;
    square += n * n;
  }
  const auto length = static_cast<float>(std::min(extent, 1 << std::min<int>(shift, 14)));
  const float factor = square > 0 ? length / std::sqrt(square) : 0;
  for (int i = 0; i < 3; ++i) vertex[3 + i] = static_cast<std::int16_t>(normal[i] * factor);
  return vertex;
}

Expected<Body> make_body(const Recipe& recipe, SplitMix64& random) {
  Body body;
  std::vector<Run> runs;
  for (const GroupRecipe& group : recipe.body->groups) {
    const auto first = static_cast<std::uint32_t>(body.vertices.size());
    body.group_first.push_back(first);
    runs.push_back(vanilla_run(group, first));
    for (std::uint32_t i = 0; i < group.count; ++i) {
      body.vertices.push_back(
          {random_vertex(random, group.extent, recipe.body->shift), weights_of(group, random)});
    }
  }
  if (recipe.canonical) runs = canonical_runs(body.vertices);
  auto layout = lay_out(body.vertices, runs, recipe.options);
  if (!layout) return tl::unexpected(layout.error());
  body.layout = std::move(*layout);
  body.layout.skn.quantize_info = recipe.body->shift;
  choose_slots(recipe.body->groups, body);
  return body;
}

}  // namespace lockline::corpus
