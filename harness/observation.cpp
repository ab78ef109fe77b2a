#include "harness/observation.hpp"

#include <algorithm>
#include <cmath>

namespace lockline::harness {
namespace {

template <class Entry>
std::optional<EntryExtent> extent_in(const std::vector<Entry>& entries, std::uint32_t index) {
  if (index >= entries.size()) return std::nullopt;
  return EntryExtent{entries[index].at, entries[index].at + Entry::bytes};
}

bool in_own_matrix_field(const Block& block, const emu::Write& w, std::uint32_t at) {
  if (w.author.kind != emu::WriteKind::matrix) return false;
  const auto entry = entry_extent(block, w.author.step, w.author.entry);
  const std::uint32_t field = w.author.step == emu::Step::sk2 ? 2 * sizeof(Matrix) : sizeof(Matrix);
  return entry && at >= entry->begin && at + w.size <= entry->begin + field;
}

/// Arrays a facial object may write: the mirrored sources and the rigid positions and normals.
bool is_facial_target(const Subject& subject, std::uint32_t begin, std::uint32_t end) {
  const auto hit = subject.map.overlapping(begin, end);
  return std::all_of(hit.begin(), hit.end(), [](const StructureRange* r) {
    return r->kind == StructureKind::source || r->kind == StructureKind::array_data;
  });
}

bool has_nan(const emu::VertexFloats& v) {
  return std::any_of(v.begin(), v.end(), [](float x) { return std::isnan(x); });
}

/// Whether a vertex's own transform makes a NaN in this pose.
bool makes_nan(const Block& block, const emu::KernelSettings& settings, const Pose& pose, emu::Step step,
               std::uint32_t entry, std::uint32_t k) {
  const Skn& skn = *block.skn;
  const auto matrix = [&](std::uint32_t bone) {
    return bone < pose.matrices.size() ? emu::reorder(pose.matrices[bone]) : Matrix{};
  };
  if (step == emu::Step::sk1) {
    const Sk1Entry& e = skn.sk1[entry];
    return k < e.vertices.size() && has_nan(emu::transform_sk1(e.vertices[k], matrix(e.bone), settings));
  }
  if (step == emu::Step::sk2) {
    const Sk2Entry& e = skn.sk2[entry];
    return k < e.vertices.size() && k < e.weights.size() &&
           has_nan(
               emu::transform_sk2(e.vertices[k], e.weights[k], matrix(e.bone1), matrix(e.bone2), settings));
  }
  const SkAccEntry& e = skn.acc[entry];
  return k < e.vertices.size() && k < e.weights.size() &&
         has_nan(emu::transform_skacc(e.vertices[k], e.weights[k], {}, matrix(e.bone), settings));
}

/// Calls f(step, entry, vertex) for each written vertex with a component at an end of s16.
template <class F>
void for_each_extreme(const Subject& subject, emu::Machine& machine, F&& f) {
  if (!subject.block.skn) return;
  const auto extreme = [&](std::uint64_t offset) {
    const std::uint8_t* p =
        machine.memory().cpu(machine.model().positions + static_cast<std::uint32_t>(offset), vertex_stride);
    for (unsigned i = 0; p != nullptr && i < 6; ++i) {
      const auto v = load_be<std::int16_t>(p + 2 * i);
      if (v == 32767 || v == -32768) return true;
    }
    return false;
  };
  for (const DirectEntry& e : subject.entries) {
    for (std::uint32_t k = 0; k < e.count; ++k) {
      if (extreme(e.first_vertex() + k * std::uint64_t{vertex_stride}))
        f(e.is_sk1 ? emu::Step::sk1 : emu::Step::sk2, e.index, k);
    }
  }
  const auto& acc = subject.block.skn->acc;
  for (std::uint32_t i = 0; i < acc.size(); ++i) {
    const auto targets = destinations(acc[i]);
    for (std::uint32_t k = 0; k < targets.size(); ++k) {
      if (extreme(targets[k])) f(emu::Step::skacc, i, k);
    }
  }
}

void add(std::vector<WrongVertices>& out, emu::Step step, std::uint32_t entry, std::uint32_t vertex) {
  if (out.empty() || out.back().step != step || out.back().entry != entry)
    out.push_back({step, entry, {}, 0});
  out.back().vertices.push_back(vertex);
}

}  // namespace

PositionRegion position_region(const Subject& subject) {
  const PositionArray* positions = subject.block.skinned_positions();
  if (positions == nullptr) return {};
  const auto size = static_cast<std::uint64_t>(subject.bytes.size());
  const std::uint64_t stored =
      std::uint64_t{positions->data_at} + positions->header.count * std::uint64_t{vertex_stride};
  std::uint64_t end = stored;
  for (const DirectEntry& e : subject.entries) {
    if (e.bytes() != 0) end = std::max(end, positions->data_at + e.write_back_end());
  }
  end = std::max(end, positions->data_at + subject.slots.size() * std::uint64_t{vertex_stride});
  const auto inside = [&](std::uint64_t offset) {
    return static_cast<std::uint32_t>(std::min(offset, size));
  };
  return {inside(positions->data_at), inside(stored), inside(end)};
}

std::optional<EntryExtent> entry_extent(const Block& block, emu::Step step, std::uint32_t entry) {
  if (!block.skn) return std::nullopt;
  switch (step) {
    case emu::Step::sk1:
      return extent_in(block.skn->sk1, entry);
    case emu::Step::sk2:
      return extent_in(block.skn->sk2, entry);
    case emu::Step::skacc:
      return extent_in(block.skn->acc, entry);
    default:
      return std::nullopt;
  }
}

std::vector<Stray> strays(const Subject& subject, const emu::Machine& machine, const PositionRegion& region) {
  std::vector<Stray> out;
  const auto& model = machine.model();
  for (const emu::Write& w : machine.trace().writes()) {
    const std::int64_t begin = std::int64_t{w.address} - model.block, end = begin + w.size;
    const auto low = static_cast<std::uint32_t>(std::clamp<std::int64_t>(begin, 0, model.block_bytes));
    const auto high = static_cast<std::uint32_t>(std::clamp<std::int64_t>(end, 0, model.block_bytes));
    if (low >= high || in_own_matrix_field(subject.block, w, low)) continue;
    if (w.author.kind == emu::WriteKind::pose && is_facial_target(subject, low, high)) continue;
    if (low < region.begin) out.push_back({w.author, low, std::min(high, region.begin)});
    if (high > region.stored_end) out.push_back({w.author, std::max(low, region.stored_end), high});
  }
  return out;
}

Extremes extremes(const Subject& subject, emu::Machine& machine, const Pose& pose) {
  Extremes out;
  const auto settings = intended_settings(subject.block, *machine.options().profile);
  for_each_extreme(subject, machine, [&](emu::Step step, std::uint32_t entry, std::uint32_t k) {
    add(makes_nan(subject.block, settings, pose, step, entry, k) ? out.nan : out.saturated, step, entry, k);
  });
  return out;
}

}  // namespace lockline::harness
