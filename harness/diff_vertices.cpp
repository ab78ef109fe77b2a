#include "harness/diff_vertices.hpp"

#include <algorithm>

namespace lockline::harness {
namespace {

/// The SK1 / SK2 write of the vertex, from entry `owner` of direct_entries().
void add_direct(const Subject& subject, std::size_t owner, DiffVertex& v) {
  const DirectEntry& entry = subject.entries[owner];
  const auto k = static_cast<std::size_t>(v.slot - entry.first_vertex() / vertex_stride);
  ++v.passes;
  if (entry.is_sk1) {
    const Sk1Entry& e = subject.block.skn->sk1[entry.index];
    v.writes.push_back({e.bone, 256});
    if (k < e.vertices.size()) v.bind = e.vertices[k];
    return;
  }
  const Sk2Entry& e = subject.block.skn->sk2[entry.index];
  const std::array<std::uint8_t, 2> weights =
      k < e.weights.size() ? e.weights[k] : std::array<std::uint8_t, 2>{};
  v.writes.push_back({e.bone1, weights[0]});
  v.writes.push_back({e.bone2, weights[1]});
  if (k < e.vertices.size()) v.bind = e.vertices[k];
}

void add_sums(const Subject& subject, DiffVertex& v) {
  for (const Contribution& c : subject.slots.contributions(v.slot)) {
    const SkAccEntry& e = subject.block.skn->acc[c.entry];
    if (v.passes++ == 0 && c.position < e.vertices.size()) v.bind = e.vertices[c.position];
    v.writes.push_back({e.bone, c.position < e.weights.size() ? e.weights[c.position] : std::uint8_t{0}});
  }
}

std::vector<VertexWeight> merged(std::vector<VertexWeight> writes) {
  std::sort(writes.begin(), writes.end());
  std::vector<VertexWeight> out;
  for (const auto& [bone, weight] : writes) {
    if (weight == 0) continue;
    if (!out.empty() && out.back().bone == bone) {
      out.back().weight += weight;
    } else {
      out.push_back({bone, weight});
    }
  }
  return out;
}

/// The position array's record, zero past its end.
SkinVertex stored_record(const Block& block, std::uint32_t slot) {
  SkinVertex out{};
  const PositionArray* positions = block.skinned_positions();
  const auto* raw =
      positions == nullptr ? nullptr : std::get_if<std::vector<std::int16_t>>(&positions->values);
  if (raw == nullptr || !contains(raw->size(), std::uint64_t{slot} * out.size(), out.size())) return out;
  std::copy_n(raw->begin() + static_cast<std::ptrdiff_t>(slot * out.size()), out.size(), out.begin());
  return out;
}

}  // namespace

std::vector<DiffVertex> diff_vertices(const Subject& subject) {
  std::vector<DiffVertex> out;
  if (!subject.block.skn) return out;
  const auto drawn = drawn_slots(subject.block);
  const std::uint32_t end = std::max(subject.slots.size(), drawn.empty() ? 0 : drawn.back() + 1);
  auto next_drawn = drawn.begin();
  for (std::uint32_t slot = 0; slot < end; ++slot) {
    const bool is_drawn = next_drawn != drawn.end() && *next_drawn == slot;
    if (is_drawn) ++next_drawn;
    if (!is_drawn && !subject.slots.written(slot)) continue;
    DiffVertex& v = out.emplace_back();
    v.slot = slot;
    v.drawn = is_drawn;
    v.bind = stored_record(subject.block, slot);
    if (const std::int32_t owner = subject.slots.direct(slot); owner >= 0)
      add_direct(subject, static_cast<std::size_t>(owner), v);
    add_sums(subject, v);
    v.weights = merged(v.writes);
  }
  return out;
}

}  // namespace lockline::harness
