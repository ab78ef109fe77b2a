#include "harness/renumbering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "harness/diff_structures.hpp"

namespace lockline::harness {
namespace {

tl::unexpected<Error> differs(std::uint32_t at, std::string structure, std::string what) {
  return tl::unexpected(Error{ErrorCode::bad_value, at, std::move(structure), std::move(what)});
}

const Layout* skin_of(const Block& block) {
  const bool there = block.skinned_positions() != nullptr && block.gpl->submeshes[0].layout->display;
  return there ? &*block.gpl->submeshes[0].layout : nullptr;
}

bool shares_normals(const Layout& skin) {
  return skin.lighting && skin.lighting->data_at == skin.position->data_at;
}

/// Content that no slot is part of.
Expected<void> same_content(const Subject& before, const Subject& after, bool shared_normals) {
  const auto wanted = [&](const StructureRange& range) {
    switch (range.kind) {
      case StructureKind::array_data:
        return range.name != "GPL / submesh 0 / positions" &&
               !(shared_normals && range.name == "GPL / submesh 0 / normals");
      case StructureKind::primitive_list:
        return !range.name.starts_with("GPL / submesh 0 / ");
      case StructureKind::text:
      case StructureKind::bone:
      case StructureKind::control:
      case StructureKind::user_data:
      case StructureKind::texture:
      case StructureKind::opaque:
        return true;
      default:
        return false;
    }
  };
  for (const StructureDiff& d : diff_structures(before, after, wanted)) {
    if (d.differing == 0 && d.patched_bytes >= d.donor_bytes) continue;  // a section padded to its line
    return differs(d.donor_at, d.name, "is not the same any more");
  }
  return {};
}

bool same_shape(const PrimitiveList& a, const PrimitiveList& b) {
  const auto same_attribute = [](VertexAttribute x, VertexAttribute y) {
    return x.attribute == y.attribute && x.width == y.width;
  };
  const auto same_primitive = [](const Primitive& x, const Primitive& y) {
    return x.opcode == y.opcode && x.count == y.count && x.indices.size() == y.indices.size();
  };
  return std::ranges::equal(a.attributes, b.attributes, same_attribute) &&
         std::ranges::equal(a.primitives, b.primitives, same_primitive) && a.tail == b.tail;
}

/// False for an index other than a slot that is not the same.
bool pair_up(const PrimitiveList& a, const PrimitiveList& b, bool shared_normals,
             std::vector<SlotPair>& pairs) {
  for (std::size_t p = 0; p < a.primitives.size(); ++p) {
    const auto &x = a.primitives[p].indices, &y = b.primitives[p].indices;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Attribute attribute = a.attributes[i % a.attributes.size()].attribute;
      if (attribute == Attribute::position || (attribute == Attribute::normal && shared_normals)) {
        pairs.push_back({x[i], y[i]});
      } else if (x[i] != y[i]) {
        return false;
      }
    }
  }
  return true;
}

bool same_state(const DisplayState& a, const DisplayState& b) {
  return std::tie(a.type, a.parameters, a.setting, a.list_size) ==
             std::tie(b.type, b.parameters, b.setting, b.list_size) &&
         a.list.has_value() == b.list.has_value();
}

}  // namespace

Expected<std::vector<SlotPair>> renumbering(const Subject& before, const Subject& after) {
  const Layout *a = skin_of(before.block), *b = skin_of(after.block);
  if (a == nullptr || b == nullptr) return differs(0, "GPL / submesh 0", "is no skin that draws");
  const bool shared_normals = shares_normals(*a);
  if (shared_normals != shares_normals(*b))
    return differs(a->at, "GPL / submesh 0 / normals", "are no longer where they were");
  if (auto same = same_content(before, after, shared_normals); !same) return tl::unexpected(same.error());
  const auto &states = a->display->states, &now = b->display->states;
  if (states.size() != now.size())
    return differs(a->display->at, "GPL / submesh 0 / display header", "has another number of states");
  std::vector<SlotPair> pairs;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto name = fmt::format("GPL / submesh 0 / display state {}", i);
    if (!same_state(states[i], now[i])) return differs(states[i].at, name, "is not the same any more");
    if (!states[i].list) continue;
    if (!same_shape(*states[i].list, *now[i].list) ||
        !pair_up(*states[i].list, *now[i].list, shared_normals, pairs))
      return differs(states[i].list->at, name, "draws a list that differs in more than slots");
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace lockline::harness
