#include "harness/slots.hpp"

#include <algorithm>

namespace lockline::harness {

SlotTable::SlotTable(const Block& block) {
  const auto entries = direct_entries(block);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const DirectEntry& e = entries[i];
    if (e.first_vertex() % vertex_stride != 0) continue;
    for (std::uint32_t k = 0; k < e.count; ++k) {
      const std::uint64_t slot = e.first_vertex() / vertex_stride + k;
      if (slot >= limit) break;
      reach(static_cast<std::uint32_t>(slot));
      direct_[slot] = static_cast<std::int32_t>(i);
    }
  }
  if (!block.skn) return;
  for (std::uint32_t i = 0; i < block.skn->acc.size(); ++i) {
    const auto targets = destinations(block.skn->acc[i]);
    for (std::uint32_t k = 0; k < targets.size(); ++k) {
      if (targets[k] % vertex_stride != 0 || targets[k] / vertex_stride >= limit) continue;
      const auto slot = static_cast<std::uint32_t>(targets[k] / vertex_stride);
      reach(slot);
      contributions_[slot].push_back({i, k});
    }
  }
}

void SlotTable::reach(std::uint32_t slot) {
  if (slot < direct_.size()) return;
  direct_.resize(slot + 1, -1);
  contributions_.resize(slot + 1);
}

const std::vector<Contribution>& SlotTable::contributions(std::uint32_t slot) const {
  static const std::vector<Contribution> none;
  return slot < size() ? contributions_[slot] : none;
}

std::vector<std::uint32_t> SlotTable::accumulation_only() const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t slot = 0; slot < size(); ++slot) {
    if (direct_[slot] < 0 && !contributions_[slot].empty()) out.push_back(slot);
  }
  return out;
}

std::vector<std::uint32_t> SlotTable::supplemented(const DirectEntry& e) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t k = 0; k < e.count; ++k) {
    const std::uint64_t slot = e.first_vertex() / vertex_stride + k;
    if (slot >= size()) break;
    if (!contributions_[slot].empty()) out.push_back(static_cast<std::uint32_t>(slot));
  }
  return out;
}

bool targets_skin(const Block& block, const FacialAttribute& attribute) {
  if (attribute.kind != 1 || !block.gpl || attribute.target >= block.gpl->submeshes.size()) return false;
  const auto& layout = block.gpl->submeshes[attribute.target].layout;
  return layout && layout->position && layout->position->header.components == 6;
}

FacialSlots slots_of_facial_objects(const Block& block) {
  FacialSlots out;
  if (!block.facial) return out;
  for (std::uint32_t o = 0; o < block.facial->objects.size(); ++o) {
    const auto& attributes = block.facial->objects[o].attributes;
    for (std::uint32_t a = 0; a < attributes.size(); ++a) {
      if (!targets_skin(block, attributes[a])) continue;
      out.any = true;
      std::uint32_t record = 0;
      for (const FacialRun& run : attributes[a].runs) {
        for (std::uint32_t i = 0; i < run.length && record < SlotTable::limit; ++i, ++record) {
          out.slots.push_back({o, a, record, std::uint32_t{run.first} + i});
        }
      }
    }
  }
  return out;
}

std::vector<std::uint32_t> drawn_slots(const Block& block) {
  std::vector<std::uint32_t> out;
  if (!block.gpl || block.gpl->submeshes.empty() || !block.gpl->submeshes.front().layout) return out;
  const auto& display = block.gpl->submeshes.front().layout->display;
  if (!display) return out;
  std::vector<bool> drawn(0x10000);
  for (const DisplayState& state : display->states) {
    if (!state.list) continue;
    const int column = state.list->column(Attribute::position);
    const std::size_t width = state.list->attributes.size();
    if (column < 0) continue;
    for (const Primitive& p : state.list->primitives) {
      for (std::size_t i = static_cast<std::size_t>(column); i < p.indices.size(); i += width)
        drawn[p.indices[i]] = true;
    }
  }
  for (std::uint32_t slot = 0; slot < drawn.size(); ++slot) {
    if (drawn[slot]) out.push_back(slot);
  }
  return out;
}

}  // namespace lockline::harness
