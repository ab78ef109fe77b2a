#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "formats/quantization.hpp"

/// GPL: the meshes of a model block. Source: formats.md "GPL".
/// Every structure keeps `at`, the offset of its first byte in the block, and its pointer fields as the file
/// has them (relative to the base named beside them). What a pointer leads to is present only when it could
/// be read. The members named ..._at are base + pointer modulo 2^32, as the game computes it, whether or not
/// something could be read there.
namespace lockline {

/// A NUL-terminated string. `text` excludes the terminator.
struct CString {
  std::uint32_t at = 0;
  std::string text;
};

/// 8 bytes before every array; UV and lighting headers extend it.
struct ArrayHeader {
  std::uint32_t at = 0;
  std::uint32_t data = 0;  ///< layout-relative
  std::uint16_t count = 0;
  Quantization quantization;
  std::uint8_t components = 0;
};

/// Raw (not divided by 2^shift) components, count x components of them, in file order.
using Components =
    std::variant<std::monostate, std::vector<std::int16_t>, std::vector<std::uint16_t>, std::vector<float>>;

/// Number of components held; 0 for monostate.
std::size_t size(const Components& values);

struct PositionArray {
  ArrayHeader header;
  std::uint32_t data_at = 0;  ///< block offset of the first component, valid even when values is monostate
  Components values;          ///< 3 per vertex on a rigid submesh, 6 (x y z nx ny nz) on the skinned one
};

struct ColourArray {
  ArrayHeader header;
  std::uint32_t data_at = 0;
  std::vector<std::uint32_t>
      packed;  ///< one per colour, in the array's own packing, big-endian value of 2, 3 or 4 bytes
};

struct UvArray {
  ArrayHeader header;
  std::uint32_t palette_name_pointer = 0;  ///< layout-relative C string, 0 = none
  std::uint32_t palette = 0;               ///< 0 in files
  std::uint32_t data_at = 0;
  Components values;
  std::optional<CString> palette_name;
};

struct NormalArray {
  ArrayHeader header;
  float ambient = 0;  ///< ambient percentage
  std::uint32_t data_at = 0;
  Components values;
};

/// One draw call of a primitive list.
struct Primitive {
  std::uint8_t opcode = 0;             ///< 0x90 triangles, 0x98 strip, 0x80 quads, 0xA0 fan
  std::uint16_t count = 0;             ///< vertices
  std::vector<std::uint16_t> indices;  ///< count x PrimitiveList::widths.size(), vertex by vertex
};

/// The attributes a vertex of a primitive list can index, in list order.
enum class Attribute : std::uint8_t {
  position,
  normal,
  colour0,
  colour1,
  tex0,
  tex1,
  tex2,
  tex3,
  tex4,
  tex5,
  tex6,
  tex7
};
inline constexpr std::uint32_t attribute_count = 12;

struct VertexAttribute {
  Attribute attribute = Attribute::position;
  std::uint8_t width = 1;  ///< index bytes: 1 or 2
};

/// A decoded primitive list. Lists that cannot be decoded to their end keep the rest in `tail`.
struct PrimitiveList {
  std::uint32_t at = 0;
  std::vector<VertexAttribute> attributes;  ///< from the vertex format state in force
  std::vector<Primitive> primitives;
  bool terminated = false;  ///< a 0 opcode was met (or the list ended exactly at its size)
  std::vector<std::uint8_t>
      tail;  ///< bytes from the terminator (or the first undecodable opcode) to the list's size

  /// Column of an attribute inside a vertex's indices, or -1.
  int column(Attribute attribute) const;
};

struct DisplayState {
  std::uint32_t at = 0;
  std::uint8_t type = 0;  ///< 1 texture, 3 vertex format, 7 shader; others carried along
  std::array<std::uint8_t, 3> parameters{};
  std::uint32_t setting = 0;
  std::uint32_t list_pointer = 0;  ///< layout-relative, 0 = none
  std::uint32_t list_size = 0;     ///< bytes
  std::optional<PrimitiveList> list;
};

struct DisplayHeader {
  std::uint32_t at = 0;
  std::uint32_t primitive_data = 0;  ///< layout-relative
  std::uint32_t states_pointer = 0;  ///< layout-relative
  std::uint16_t state_count = 0;
  std::uint16_t pad = 0;
  std::vector<DisplayState> states;
};

/// DOLayout, 0x18 bytes. The first five fields are pointers relative to the layout itself, 0 = none.
struct Layout {
  std::uint32_t at = 0;
  std::uint32_t position_pointer = 0;
  std::uint32_t colour_pointer = 0;
  std::uint32_t uv_pointer = 0;
  std::uint32_t lighting_pointer = 0;
  std::uint32_t display_pointer = 0;
  std::uint8_t uv_channels = 0;
  std::array<std::uint8_t, 3> pad{};

  std::optional<PositionArray> position;
  std::optional<ColourArray> colour;
  std::vector<UvArray> uvs;
  std::optional<NormalArray> lighting;
  std::optional<DisplayHeader> display;
};

struct Submesh {
  std::uint32_t at = 0;              ///< of the 8-byte descriptor
  std::uint32_t layout_pointer = 0;  ///< GPL-relative
  std::uint32_t name_pointer = 0;    ///< GPL-relative
  std::optional<Layout> layout;
  std::optional<CString> name;
};

struct Gpl {
  static constexpr std::uint32_t magic_value = 0x00B749E0;

  std::uint32_t at = 0;
  std::uint32_t size = 0;  ///< to the next section
  std::uint32_t magic = magic_value;
  std::uint32_t user_size = 0;
  std::uint32_t user_pointer = 0;  ///< GPL-relative
  std::uint32_t submesh_count = 0;
  std::uint32_t descriptors_pointer = 0;  ///< GPL-relative
  std::vector<std::uint8_t> user_data;
  std::vector<Submesh> submeshes;

  /// Block offset of user_data.
  std::uint32_t user_data_at() const { return at + user_pointer; }
};

}  // namespace lockline
