#include "harness/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/line_map.hpp"
#include "harness/slots.hpp"

namespace lockline::harness {
namespace {

template <class T>
void add_section(std::vector<Section>& out, std::string_view name, const std::optional<T>& section) {
  if (section) out.push_back({name, section->at, section->size});
}

void add_opaque(std::vector<Section>& out, std::string_view name,
                const std::optional<OpaqueSection>& section) {
  if (section) out.push_back({name, section->at, static_cast<std::uint32_t>(section->bytes.size())});
}

std::vector<Section> sections(const Block& block) {
  std::vector<Section> out;
  add_section(out, "GPL", block.gpl);
  add_section(out, "ACT", block.act);
  add_section(out, "SKN", block.skn);
  add_section(out, "facial poses", block.facial);
  if (block.tex) add_opaque(out, "TEX", std::optional(block.tex->content));
  add_opaque(out, "ptr6", block.ptr6);
  add_opaque(out, "ptr8", block.ptr8);
  std::stable_sort(out.begin(), out.end(), [](const Section& a, const Section& b) { return a.at < b.at; });
  return out;
}

EntryRow direct_row(const DirectEntry& e, const Skn& skn, const SlotTable& slots) {
  EntryRow row;
  row.name = e.name();
  row.at = e.at;
  row.count = e.count;
  row.source = e.source;
  row.destination = e.destination;
  row.vertex_offset = e.vertex_offset;
  row.bytes = e.bytes();
  row.write_back_end = e.write_back_end();
  if (e.is_sk1) {
    row.bones = {skn.sk1[e.index].bone};
  } else {
    row.bones = {skn.sk2[e.index].bone1, skn.sk2[e.index].bone2};
  }
  if (e.first_vertex() % vertex_stride == 0 && e.count != 0) {
    row.first_slot = e.first_vertex() / vertex_stride;
    row.last_slot = *row.first_slot + e.count - 1;
  }
  row.supplemented = static_cast<std::uint32_t>(slots.supplemented(e).size());
  return row;
}

EntryRow acc_row(const SkAccEntry& e, std::size_t index) {
  EntryRow row;
  row.name = fmt::format("SKAcc[{}]", index);
  row.at = e.at;
  row.bones = {e.bone};
  row.count = e.count;
  row.source = e.source;
  row.destination = e.destination;
  row.bytes = e.count * vertex_stride;
  const auto targets = destinations(e);
  if (targets.empty()) return row;
  const auto [lowest, highest] = std::minmax_element(targets.begin(), targets.end());
  row.write_back_end = *highest + vertex_stride;
  if (e.destination % vertex_stride != 0) return row;
  row.first_slot = *lowest / vertex_stride;
  row.last_slot = *highest / vertex_stride;
  return row;
}

std::vector<EntryRow> entry_rows(const Block& block, const std::vector<DirectEntry>& direct,
                                 const SlotTable& slots) {
  std::vector<EntryRow> out;
  if (!block.skn) return out;
  for (const DirectEntry& e : direct) out.push_back(direct_row(e, *block.skn, slots));
  for (std::size_t i = 0; i < block.skn->acc.size(); ++i) out.push_back(acc_row(block.skn->acc[i], i));
  return out;
}

}  // namespace

Inspection inspect(const Block& block, const StructureMap& map) {
  const auto direct = direct_entries(block);
  const SlotTable slots(block);
  return {.sections = sections(block),
          .entries = entry_rows(block, direct, slots),
          .lines = line_map(block, map, direct, slots)};
}

}  // namespace lockline::harness
