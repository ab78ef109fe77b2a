#include "harness/draw_effect.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text.hpp"

namespace lockline::harness {
namespace {

/// The block before the first frame and after this one.
struct Bytewise {
  Bytes loaded, now;

  bool changed(std::uint64_t begin, std::uint64_t size) const {
    if (!contains(loaded.size(), begin, size) || !contains(now.size(), begin, size)) return false;
    return !std::equal(loaded.begin() + static_cast<std::ptrdiff_t>(begin),
                       loaded.begin() + static_cast<std::ptrdiff_t>(begin + size),
                       now.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  /// "count 120 becomes 63804"; nothing when it did not change.
  template <class T>
  void field(std::vector<std::string>& out, std::uint32_t at, const char* what, const char* follows) const {
    if (!changed(at, sizeof(T))) return;
    const auto before = load_be<T>(loaded.data() + at), after = load_be<T>(now.data() + at);
    out.push_back(fmt::format("{} {:#x} becomes {:#x}: {}", what, before, after, follows));
  }
};

std::optional<std::string> joined(const std::vector<std::string>& parts) {
  if (parts.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::optional<std::string> header_effect(const ArrayHeader& header, const char* elements,
                                         const Bytewise& bytes) {
  std::vector<std::string> out;
  bytes.field<std::uint16_t>(out, header.at + 4, "count", "drawing does not use it");
  bytes.field<std::uint8_t>(out, header.at + 6, "quantization", "read in another format or scale");
  bytes.field<std::uint8_t>(out, header.at + 7, "component count", "read with another stride");
  for (std::string& part : out) part.insert(0, std::string(elements) + ": ");
  return joined(out);
}

/// An array as the primitives of its submesh use it.
struct DrawnArray {
  std::uint32_t data_at = 0, element_bytes = 0;
  Attribute attribute = Attribute::position;
  const char* one = "";   ///< "colour"
  const char* many = "";  ///< "colours"
};

std::optional<std::string> array_effect(const Layout& layout, const DrawnArray& array,
                                        const StructureRange& range, const Bytewise& bytes) {
  if (array.element_bytes == 0) return std::nullopt;
  std::vector<bool> touched((range.end - range.begin) / array.element_bytes);
  for (std::size_t i = 0; i < touched.size(); ++i)
    touched[i] = bytes.changed(array.data_at + i * array.element_bytes, array.element_bytes);
  const auto elements = static_cast<std::uint32_t>(std::count(touched.begin(), touched.end(), true));
  if (elements == 0) return std::nullopt;
  std::uint32_t vertices = 0, all = 0;
  if (layout.display) {
    for (const DisplayState& state : layout.display->states) {
      const int column = state.list ? state.list->column(array.attribute) : -1;
      if (column < 0) continue;
      const std::size_t width = state.list->attributes.size();
      for (const Primitive& p : state.list->primitives) {
        for (auto i = static_cast<std::size_t>(column); i < p.indices.size(); i += width) {
          ++all;
          if (p.indices[i] < touched.size() && touched[p.indices[i]]) ++vertices;
        }
      }
    }
  }
  return fmt::format("{} of {} {} other bytes; {} of {} drawn vertices use them",
                     counted(elements, array.one, array.many), touched.size(), elements == 1 ? "gets" : "get",
                     vertices, all);
}

std::optional<std::string> display_effect(const DisplayHeader& display, const StructureRange& range,
                                          const Bytewise& bytes) {
  std::vector<std::string> out;
  if (range.begin == display.at) {
    bytes.field<std::uint16_t>(out, display.at + 8, "display state count",
                               "the draw walk takes so many states");
    return joined(out);
  }
  for (const DisplayState& state : display.states) {
    if (state.at == range.begin) {
      bytes.field<std::uint8_t>(out, state.at, "type", "another setting is made");
      bytes.field<std::uint32_t>(out, state.at + 4, "setting",
                                 state.type == 1   ? "another texture is bound"
                                 : state.type == 3 ? "the lists are read with another vertex format"
                                                   : "another setting is made");
      bytes.field<std::uint32_t>(out, state.at + 12, "list size",
                                 "the graphics processor takes so many bytes for commands");
      return joined(out);
    }
    if (state.list && state.list->at == range.begin) {
      std::uint32_t at = range.begin;
      while (at < range.end && !bytes.changed(at, 1)) ++at;
      if (at == range.end) return std::nullopt;
      return fmt::format(
          "the graphics processor takes vertex bytes for commands and indices from +{:#x} of the list on: "
          "stray "
          "triangles, or it stops",
          at - range.begin);
    }
  }
  return std::nullopt;
}

std::uint32_t bytes_of(const Components& values) {
  return std::holds_alternative<std::vector<float>>(values) ? 4 : 2;
}

std::optional<std::string> layout_effect(const Layout& layout, const StructureRange& range,
                                         const Bytewise& bytes) {
  const auto array = [&](const auto& a, std::uint32_t element_bytes, Attribute attribute, const char* one,
                         const char* many) -> std::optional<std::string> {
    if (range.begin == a.header.at) return header_effect(a.header, many, bytes);
    if (range.begin != a.data_at) return std::nullopt;
    return array_effect(layout, {a.data_at, element_bytes, attribute, one, many}, range, bytes);
  };
  if (const auto& a = layout.position) {
    if (auto effect = array(*a, bytes_of(a->values) * a->header.components, Attribute::position, "position",
                            "positions"))
      return effect;
  }
  if (const auto& a = layout.colour) {
    const std::uint32_t size = colour_size(a->header.quantization, 0, "").value_or(0);
    if (auto effect = array(*a, size, Attribute::colour0, "colour", "colours")) return effect;
  }
  for (std::size_t i = 0; i < layout.uvs.size() && i < 8; ++i) {
    const UvArray& a = layout.uvs[i];
    const auto attribute = static_cast<Attribute>(static_cast<std::size_t>(Attribute::tex0) + i);
    if (auto effect = array(a, bytes_of(a.values) * a.header.components, attribute, "UV", "UVs"))
      return effect;
    if (a.palette_name && range.begin == a.palette_name->at &&
        bytes.changed(range.begin, range.end - range.begin))
      return "the palette (texture) of this name is not found";
  }
  if (const auto& a = layout.lighting) {
    if (auto effect =
            array(*a, bytes_of(a->values) * a->header.components, Attribute::normal, "normal", "normals"))
      return effect;
  }
  if (range.begin == layout.at && bytes.changed(layout.at + 0x14, 1))
    return "it draws with another number of UV channels";
  return layout.display ? display_effect(*layout.display, range, bytes) : std::nullopt;
}

}  // namespace

std::optional<std::string> draw_effect(const Block& block, const StructureRange& range, Bytes loaded,
                                       Bytes now) {
  if (!block.gpl) return std::nullopt;
  for (const Submesh& submesh : block.gpl->submeshes) {
    if (!submesh.layout) continue;
    if (auto effect = layout_effect(*submesh.layout, range, {loaded, now})) return effect;
  }
  return std::nullopt;
}

}  // namespace lockline::harness
