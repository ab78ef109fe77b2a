#include "corpus/gpl_builder.hpp"

#include <algorithm>
#include <array>

#include "corpus/cursor.hpp"

namespace lockline::corpus {
namespace {

constexpr std::uint32_t gpl_header_bytes = 0x14, descriptor_bytes = 8, layout_bytes = 0x18;
constexpr std::uint32_t array_header_bytes = 8, uv_header_bytes = 16, lighting_header_bytes = 12;
constexpr std::uint32_t display_header_bytes = 12, state_bytes = 16;
constexpr std::uint8_t triangles = 0x90, strip = 0x98;
constexpr std::uint8_t texture_state = 1, format_state = 3, shader_state = 7;
constexpr std::uint32_t specular_shader = 0x53706563;  // "Spec"
constexpr std::uint8_t s16_format = 0x30, rgba4_format = 0x30;
constexpr std::uint8_t uv_shift = 10;

ArrayHeader header_at(std::uint32_t at, std::size_t count, std::uint8_t quantization,
                      std::uint8_t components) {
  ArrayHeader header;
  header.at = at;
  header.count = static_cast<std::uint16_t>(count);
  header.quantization.raw = quantization;
  header.components = components;
  return header;
}

std::uint8_t s16_quantization(std::uint8_t shift) {
  return static_cast<std::uint8_t>(s16_format | shift);
}

void add_positions(const MeshInput& mesh, Layout& layout, Cursor& cursor) {
  const auto count = mesh.positions.size() / mesh.components;
  PositionArray array;
  array.header =
      header_at(cursor.take(array_header_bytes), count, s16_quantization(mesh.shift), mesh.components);
  const std::size_t bytes = std::max<std::size_t>(mesh.positions.size() * 2, mesh.reserve);
  if (mesh.components == 6) cursor.take(0, cache_line);
  cursor.take(mesh.position_shift, 1);
  array.data_at = cursor.take(bytes);
  array.header.data = array.data_at - layout.at;
  array.values = mesh.positions;
  layout.position_pointer = array.header.at - layout.at;
  layout.position = std::move(array);
}

void add_colours(const MeshInput& mesh, Layout& layout, Cursor& cursor, SplitMix64& random) {
  if (mesh.colours == 0) return;
  ColourArray array;
  array.header = header_at(cursor.take(array_header_bytes), mesh.colours, rgba4_format, 4);
  array.data_at = cursor.take(std::size_t{2} * mesh.colours);
  array.header.data = array.data_at - layout.at;
  for (std::uint32_t i = 0; i < mesh.colours; ++i) array.packed.push_back(random.below(0x10000) | 0xF);
  layout.colour_pointer = array.header.at - layout.at;
  layout.colour = std::move(array);
}

void add_uvs(const MeshInput& mesh, Layout& layout, Cursor& cursor, SplitMix64& random) {
  if (mesh.uvs == 0) return;
  UvArray array;
  array.header = header_at(cursor.take(uv_header_bytes), mesh.uvs, s16_quantization(uv_shift), 2);
  array.data_at = cursor.take(std::size_t{4} * mesh.uvs);
  array.header.data = array.data_at - layout.at;
  std::vector<std::int16_t> values;
  for (std::uint32_t i = 0; i < mesh.uvs * 2; ++i)
    values.push_back(static_cast<std::int16_t>(random.below((1U << uv_shift) + 1)));
  array.values = std::move(values);
  layout.uv_pointer = array.header.at - layout.at;
  layout.uv_channels = 1;
  layout.uvs.push_back(std::move(array));
}

/// The skinned submesh's normals are its position data; a rigid one has its own or none.
void add_normals(const MeshInput& mesh, Layout& layout, Cursor& cursor) {
  const bool shared = mesh.components == 6;
  if (!shared && mesh.normals.empty()) return;
  NormalArray array;
  const std::size_t count = shared ? mesh.positions.size() / 6 : mesh.normals.size() / 3;
  array.header =
      header_at(cursor.take(lighting_header_bytes), count, s16_quantization(mesh.shift), mesh.components);
  array.data_at = shared ? layout.position->data_at : cursor.take(mesh.normals.size() * 2);
  array.header.data = array.data_at - layout.at;
  array.values = shared ? mesh.positions : mesh.normals;
  layout.lighting_pointer = array.header.at - layout.at;
  layout.lighting = std::move(array);
}

/// How many values an attribute's index chooses from; 0: the attribute is absent.
std::uint32_t choices(const Layout& layout, Attribute attribute) {
  switch (attribute) {
    case Attribute::position:
      return layout.position->header.count;
    case Attribute::normal:
      return layout.lighting ? layout.lighting->header.count : 0;
    case Attribute::colour0:
      return layout.colour ? layout.colour->header.count : 0;
    case Attribute::tex0:
      return layout.uvs.empty() ? 0 : layout.uvs[0].header.count;
    default:
      return 0;
  }
}

std::vector<VertexAttribute> attributes_of(const Layout& layout) {
  std::vector<VertexAttribute> result;
  for (const auto attribute : {Attribute::position, Attribute::normal, Attribute::colour0, Attribute::tex0}) {
    const std::uint32_t count = choices(layout, attribute);
    if (count != 0) result.push_back({attribute, static_cast<std::uint8_t>(count > 256 ? 2 : 1)});
  }
  return result;
}

/// Type 3's setting: two bits per attribute from bit 2 on, 2 = one-byte index, 3 = two-byte index.
std::uint32_t format_setting(std::span<const VertexAttribute> attributes) {
  std::uint32_t setting = 0;
  for (const auto [attribute, width] : attributes)
    setting |= (width + 1U) << (2 + 2 * static_cast<std::uint32_t>(attribute));
  return setting;
}

Primitive primitive_of(std::span<const std::uint32_t> drawn, std::span<const VertexAttribute> attributes,
                       const Layout& layout, std::uint8_t opcode) {
  Primitive primitive;
  primitive.opcode = opcode;
  primitive.count = static_cast<std::uint16_t>(drawn.size());
  for (const std::uint32_t position : drawn) {
    for (const auto [attribute, width] : attributes)
      primitive.indices.push_back(static_cast<std::uint16_t>(position % choices(layout, attribute)));
  }
  return primitive;
}

/// Strips and triangles in turn until every drawn position is used; the last one reuses earlier positions to
/// have three.
PrimitiveList list_of(std::span<const std::uint32_t> drawn, const Layout& layout) {
  constexpr std::size_t longest = 90;  // a multiple of 3
  PrimitiveList list;
  list.attributes = attributes_of(layout);
  list.terminated = true;
  for (std::size_t done = 0; done < drawn.size();) {
    const std::size_t count = std::min(longest, drawn.size() - done);
    std::vector<std::uint32_t> part(drawn.begin() + static_cast<std::ptrdiff_t>(done),
                                    drawn.begin() + static_cast<std::ptrdiff_t>(done + count));
    while (part.size() < 3) part.push_back(part.front());
    const bool as_strip = list.primitives.size() % 2 == 1 || part.size() % 3 != 0;
    list.primitives.push_back(primitive_of(part, list.attributes, layout, as_strip ? strip : triangles));
    done += count;
  }
  return list;
}

std::uint32_t content_bytes(const PrimitiveList& list) {
  std::uint32_t vertex = 0;
  for (const VertexAttribute& attribute : list.attributes) vertex += attribute.width;
  std::uint32_t bytes = 0;
  for (const Primitive& primitive : list.primitives) bytes += 3 + primitive.count * vertex;
  return bytes;
}

/// One format state, then per list a texture state (when there are textures) and a shader state that owns the
/// list.
void add_display(const MeshInput& mesh, Layout& layout, Cursor& cursor) {
  DisplayHeader display;
  display.at = cursor.take(display_header_bytes);
  DisplayState format;
  format.type = format_state;
  format.setting = format_setting(attributes_of(layout));
  display.states.push_back(format);
  for (std::uint32_t i = 0; i < mesh.lists; ++i) {
    DisplayState texture;
    texture.type = texture_state;
    if (mesh.textures != 0) texture.setting = i % mesh.textures;
    if (mesh.textures != 0) display.states.push_back(texture);
    const std::size_t first = mesh.drawn.size() * i / mesh.lists,
                      end = mesh.drawn.size() * (i + 1) / mesh.lists;
    DisplayState shader;
    shader.type = shader_state;
    shader.setting = specular_shader;
    shader.list = list_of(std::span(mesh.drawn).subspan(first, end - first), layout);
    display.states.push_back(std::move(shader));
  }
  display.state_count = static_cast<std::uint16_t>(display.states.size());
  const std::uint32_t states_at = cursor.take(display.states.size() * state_bytes);
  display.states_pointer = states_at - layout.at;
  for (std::size_t i = 0; i < display.states.size(); ++i) {
    DisplayState& state = display.states[i];
    state.at = states_at + static_cast<std::uint32_t>(i) * state_bytes;
    if (!state.list) continue;
    const std::uint32_t content = content_bytes(*state.list);
    state.list_size = align_up(content + 1, cache_line);
    state.list->at = cursor.take(state.list_size, cache_line);
    state.list->tail.assign(state.list_size - content, 0);
    state.list_pointer = state.list->at - layout.at;
    if (display.primitive_data == 0) display.primitive_data = state.list_pointer;
  }
  layout.display_pointer = display.at - layout.at;
  layout.display = std::move(display);
}

CString text_at(Cursor& cursor, const std::string& text) {
  return {cursor.take(text.size() + 1), text};
}

Layout build_layout(const MeshInput& mesh, Cursor& cursor, SplitMix64& random) {
  Layout layout;
  layout.at = cursor.take(layout_bytes);
  add_positions(mesh, layout, cursor);
  add_colours(mesh, layout, cursor, random);
  add_uvs(mesh, layout, cursor, random);
  add_normals(mesh, layout, cursor);
  add_display(mesh, layout, cursor);
  return layout;
}

}  // namespace

Gpl build_gpl(std::span<const MeshInput> meshes, std::uint32_t at, SplitMix64& random) {
  Gpl gpl;
  gpl.at = at;
  gpl.submesh_count = static_cast<std::uint32_t>(meshes.size());
  gpl.descriptors_pointer = gpl_header_bytes;
  Cursor cursor(at + gpl_header_bytes);
  for (std::size_t i = 0; i < meshes.size(); ++i)
    gpl.submeshes.emplace_back().at = cursor.take(descriptor_bytes);
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    Submesh& submesh = gpl.submeshes[i];
    submesh.layout = build_layout(meshes[i], cursor, random);
    submesh.layout_pointer = submesh.layout->at - at;
    submesh.name = text_at(cursor, meshes[i].name);
    submesh.name_pointer = submesh.name->at - at;
    for (UvArray& uv : submesh.layout->uvs) {
      uv.palette_name = text_at(cursor, meshes[i].name + ".tpl");
      uv.palette_name_pointer = uv.palette_name->at - submesh.layout->at;
    }
  }
  gpl.size = align_up(cursor.at(), cache_line) - at;
  return gpl;
}

}  // namespace lockline::corpus
