#include <fmt/format.h>

#include "corpus/relayout_parts.hpp"
#include "formats/structure_map.hpp"

namespace lockline::corpus {
namespace {

/// Where bytes of the GPL section go: those from the positions on by `pad`, those from the next structure on
/// by `growth`.
struct Move {
  std::uint32_t data_at = 0, next = 0, pad = 0, growth = 0;

  std::uint32_t operator()(std::uint32_t at) const {
    return at < data_at ? at : at < next ? at + pad : at + growth;
  }
  /// A pointer relative to `base`, after both have moved. 0 stays 0.
  void pointer(std::uint32_t& value, std::uint32_t base) const {
    if (value != 0) value = (*this)(base + value) - (*this)(base);
  }
  void place(std::uint32_t& at) const { at = (*this)(at); }
};

void move_header(ArrayHeader& header, std::uint32_t& data_at, std::uint32_t layout, const Move& move) {
  move.pointer(header.data, layout);
  move.place(header.at);
  move.place(data_at);
}

void move_layout(Layout& l, const Move& move) {
  for (std::uint32_t* pointer :
       {&l.position_pointer, &l.colour_pointer, &l.uv_pointer, &l.lighting_pointer, &l.display_pointer})
    move.pointer(*pointer, l.at);
  if (l.position) move_header(l.position->header, l.position->data_at, l.at, move);
  if (l.colour) move_header(l.colour->header, l.colour->data_at, l.at, move);
  for (UvArray& uv : l.uvs) {
    move_header(uv.header, uv.data_at, l.at, move);
    move.pointer(uv.palette_name_pointer, l.at);
    move.pointer(uv.palette, l.at);
    if (uv.palette_name) move.place(uv.palette_name->at);
  }
  if (l.lighting) move_header(l.lighting->header, l.lighting->data_at, l.at, move);
  if (l.display) {
    move.pointer(l.display->primitive_data, l.at);
    move.pointer(l.display->states_pointer, l.at);
    move.place(l.display->at);
    for (DisplayState& state : l.display->states) {
      move.pointer(state.list_pointer, l.at);
      move.place(state.at);
      if (state.list) move.place(state.list->at);
    }
  }
  move.place(l.at);
}

void move_gpl(Gpl& gpl, const Move& move) {
  move.pointer(gpl.user_pointer, gpl.at);
  move.pointer(gpl.descriptors_pointer, gpl.at);
  for (Submesh& submesh : gpl.submeshes) {
    move.pointer(submesh.layout_pointer, gpl.at);
    move.pointer(submesh.name_pointer, gpl.at);
    move.place(submesh.at);
    if (submesh.name) move.place(submesh.name->at);
    if (submesh.layout) move_layout(*submesh.layout, move);
  }
}

/// The scratch space's old bytes mean nothing; every other gap keeps its bytes.
void move_gaps(std::vector<Gap>& gaps, const Move& move) {
  std::erase_if(gaps, [&](const Gap& gap) { return gap.at >= move.data_at && gap.at < move.next; });
  for (Gap& gap : gaps) move.place(gap.at);
}

/// Other submeshes' indices do not follow the slots. Their pointers may lead backwards, where no range of the
/// map tells of them.
Expected<void> nobody_else_draws(const Gpl& gpl, std::uint32_t begin, std::uint32_t end) {
  for (std::size_t i = 1; i < gpl.submeshes.size(); ++i) {
    const auto& layout = gpl.submeshes[i].layout;
    if (!layout) continue;
    const bool positions =
        layout->position && layout->position->data_at >= begin && layout->position->data_at < end;
    const bool normals =
        layout->lighting && layout->lighting->data_at >= begin && layout->lighting->data_at < end;
    if (positions || normals)
      return cannot(layout->at, fmt::format("GPL / submesh {}", i), "draws from the positions of submesh 0");
  }
  return {};
}

Expected<Move> room(const Block& block, std::uint32_t needed) {
  const PositionArray& positions = *block.skinned_positions();
  const std::uint32_t end = block.gpl->at + block.gpl->size,
                      stored_end = positions.data_at + positions.header.count * vertex_stride;
  if (stored_end > end) return cannot(positions.data_at, "GPL / submesh 0 / positions", "leave the section");
  if (auto alone = nobody_else_draws(*block.gpl, positions.data_at, stored_end); !alone)
    return tl::unexpected(alone.error());
  Move move{positions.data_at, end, 0, 0};
  const StructureMap map(block);
  for (const StructureRange& range : map.ranges()) {
    if (range.kind == StructureKind::gap || range.begin < positions.data_at) continue;
    if (range.begin > positions.data_at && range.begin < stored_end)
      return cannot(range.begin, range.name, "lies inside the positions of submesh 0");
    if (range.begin >= stored_end) {
      move.next = std::min(move.next, range.begin);
      break;
    }
  }
  move.pad = align_up(positions.data_at, cache_line) - positions.data_at;
  const std::uint32_t new_end = positions.data_at + move.pad + needed;
  if (new_end > move.next) move.growth = align_up(new_end - move.next, cache_line);
  return move;
}

Expected<void> relay_list(PrimitiveList& list, bool shared_normals, const SlotMap& slots,
                          const std::string& name) {
  for (const Attribute attribute : {Attribute::position, Attribute::normal}) {
    const int column = list.column(attribute);
    if (column < 0 || (attribute == Attribute::normal && !shared_normals)) continue;
    const std::size_t width = list.attributes.size();
    const std::uint32_t limit = list.attributes[static_cast<std::size_t>(column)].width == 1 ? 0xFF : 0xFFFF;
    for (Primitive& p : list.primitives) {
      for (auto i = static_cast<std::size_t>(column); i < p.indices.size(); i += width) {
        const auto slot = slots.find(p.indices[i]);
        if (slot == slots.end())
          return cannot(list.at, name,
                        fmt::format("names position {}, which the array does not have", p.indices[i]));
        if (slot->second > limit)
          return cannot(list.at, name,
                        fmt::format("position {} becomes {}, and its indices have one byte", p.indices[i],
                                    slot->second));
        p.indices[i] = static_cast<std::uint16_t>(slot->second);
      }
    }
  }
  return {};
}

}  // namespace

Expected<std::uint32_t> relay_gpl(Block& block, const SkinLayout& layout, const SlotMap& slots) {
  const auto stored = static_cast<std::uint32_t>(layout.positions.size());
  const auto move = room(block, std::max(stored * vertex_stride, layout.write_end));
  if (!move) return tl::unexpected(move.error());
  Layout& mesh = *block.gpl->submeshes[0].layout;
  std::vector<std::int16_t> values;
  for (const SkinVertex& v : layout.positions) values.insert(values.end(), v.begin(), v.end());
  const bool shared_normals = mesh.lighting && mesh.lighting->data_at == mesh.position->data_at;
  mesh.position->header.count = static_cast<std::uint16_t>(stored);
  mesh.position->values = values;
  if (shared_normals) {
    mesh.lighting->header.count = static_cast<std::uint16_t>(stored);
    mesh.lighting->values = values;
  }
  for (std::size_t i = 0; i < mesh.display->states.size(); ++i) {
    if (!mesh.display->states[i].list) continue;
    const auto name = fmt::format("GPL / submesh 0 / primitive list {}", i);
    if (auto done = relay_list(*mesh.display->states[i].list, shared_normals, slots, name); !done)
      return tl::unexpected(done.error());
  }
  move_gaps(block.gaps, *move);
  move_gpl(*block.gpl, *move);
  block.gpl->size += move->growth;
  return move->growth;
}

}  // namespace lockline::corpus
