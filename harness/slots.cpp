#include "harness/slots.hpp"

#include <algorithm>
#include <iterator>

#include "harness/first_paint.hpp"

namespace lockline::harness {

namespace {

/// The slots an SK1/SK2 entry writes, cut off at the limit; empty when it writes between slots.
struct SlotRange {
  std::uint32_t begin = 0, end = 0;
};
SlotRange slots_of(const DirectEntry& e) {
  const std::uint64_t first = e.first_vertex() / vertex_stride;
  if (e.first_vertex() % vertex_stride != 0 || first >= SlotTable::limit) return {};
  return {static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(std::min<std::uint64_t>(first + e.count, SlotTable::limit))};
}

/// Calls f(slot, contribution) for each SKAcc record that falls on a whole slot, entry by entry.
template <class F>
void for_each_contribution(const Block& block, F&& f) {
  if (!block.skn) return;
  for (std::uint32_t i = 0; i < block.skn->acc.size(); ++i) {
    const auto targets = destinations(block.skn->acc[i]);
    for (std::uint32_t k = 0; k < targets.size(); ++k) {
      if (targets[k] % vertex_stride != 0 || targets[k] / vertex_stride >= SlotTable::limit) continue;
      f(static_cast<std::uint32_t>(targets[k] / vertex_stride), Contribution{i, k});
    }
  }
}

}  // namespace

SlotTable::SlotTable(const Block& block) {
  const auto entries = direct_entries(block);
  std::uint32_t size = 0;
  for (const DirectEntry& e : entries) size = std::max(size, slots_of(e).end);
  for_each_contribution(block,
                        [&](std::uint32_t slot, const Contribution&) { size = std::max(size, slot + 1); });
  FirstPaint owners(size);
  for (std::size_t i = entries.size(); i-- > 0;) {  // the last entry that writes a slot owns it
    owners.paint(slots_of(entries[i]).begin, slots_of(entries[i]).end, static_cast<std::int32_t>(i));
  }
  direct_ = owners.values();
  contributions_.resize(size);
  for_each_contribution(
      block, [&](std::uint32_t slot, const Contribution& c) { contributions_[slot].push_back(c); });
  for (std::uint32_t slot = 0; slot < size; ++slot) {
    if (!contributions_[slot].empty()) summed_.push_back(slot);
  }
}

const std::vector<Contribution>& SlotTable::contributions(std::uint32_t slot) const {
  static const std::vector<Contribution> none;
  return slot < size() ? contributions_[slot] : none;
}

std::vector<std::uint32_t> SlotTable::accumulation_only() const {
  std::vector<std::uint32_t> out;
  std::copy_if(summed_.begin(), summed_.end(), std::back_inserter(out),
               [&](std::uint32_t slot) { return direct_[slot] < 0; });
  return out;
}

std::span<const std::uint32_t> SlotTable::supplemented(const DirectEntry& e) const {
  const std::uint64_t first = e.first_vertex() / vertex_stride;
  const auto begin = std::lower_bound(summed_.begin(), summed_.end(), first);
  return {begin, std::lower_bound(begin, summed_.end(), first + e.count)};
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
