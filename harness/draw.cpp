#include "harness/draw.hpp"

#include <fmt/format.h>

namespace lockline::harness {
namespace {

void add_layout(std::vector<DrawPointer>& out, const Layout& layout, std::size_t submesh) {
  const auto name = [&](std::string_view part) {
    return fmt::format("GPL / submesh {} / {}", submesh, part);
  };
  const auto add = [&](std::uint32_t at, std::uint32_t value, std::string structure, bool required,
                       DrawReader reader = DrawReader::walk) {
    if (value != 0 || required) out.push_back({at, std::move(structure), required, reader});
  };
  add(layout.at + 0x00, layout.position_pointer, name("layout"), true);
  add(layout.at + 0x04, layout.colour_pointer, name("layout"), false);
  add(layout.at + 0x08, layout.uv_pointer, name("layout"), false);
  add(layout.at + 0x0C, layout.lighting_pointer, name("layout"), false);
  add(layout.at + 0x10, layout.display_pointer, name("layout"), true);
  if (layout.position)
    add(layout.position->header.at, layout.position->header.data, name("position header"), true,
        DrawReader::array);
  if (layout.colour)
    add(layout.colour->header.at, layout.colour->header.data, name("colour header"), true, DrawReader::array);
  for (std::size_t i = 0; i < layout.uvs.size(); ++i) {
    add(layout.uvs[i].header.at, layout.uvs[i].header.data, name(fmt::format("UV {} header", i)), true,
        DrawReader::array);
  }
  if (layout.lighting)
    add(layout.lighting->header.at, layout.lighting->header.data, name("lighting header"), true,
        DrawReader::array);
  if (!layout.display) return;
  add(layout.display->at + 4, layout.display->states_pointer, name("display header"), true);
  for (std::size_t i = 0; i < layout.display->states.size(); ++i) {
    const DisplayState& state = layout.display->states[i];
    add(state.at + 8, state.list_pointer, name(fmt::format("display state {}", i)), false, DrawReader::list);
  }
}

}  // namespace

std::vector<DrawPointer> draw_pointers(const Block& block) {
  std::vector<DrawPointer> out;
  if (!block.gpl) return out;
  for (std::size_t s = 0; s < block.gpl->submeshes.size(); ++s) {
    const Submesh& submesh = block.gpl->submeshes[s];
    out.push_back({submesh.at, fmt::format("GPL / submesh {}", s), true, DrawReader::walk});
    if (submesh.layout) add_layout(out, *submesh.layout, s);
  }
  return out;
}

std::uint32_t elements(const Layout& layout, Attribute attribute) {
  switch (attribute) {
    case Attribute::position:
      return layout.position ? layout.position->header.count : 0;
    case Attribute::normal:
      // A skinned submesh has its normals interleaved with the positions.
      if (layout.position && layout.position->header.components == 6) return layout.position->header.count;
      return layout.lighting ? layout.lighting->header.count : 0;
    case Attribute::colour0:
    case Attribute::colour1:
      return layout.colour ? layout.colour->header.count : 0;
    default: {
      const auto channel = static_cast<std::size_t>(attribute) - static_cast<std::size_t>(Attribute::tex0);
      return channel < layout.uvs.size() ? layout.uvs[channel].header.count : 0;
    }
  }
}

}  // namespace lockline::harness
