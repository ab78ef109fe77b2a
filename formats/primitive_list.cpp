#include <algorithm>
#include <numeric>

#include "formats/sections.hpp"

namespace lockline {

namespace {

constexpr std::uint8_t quads = 0x80, triangles = 0x90, strip = 0x98, fan = 0xA0;
constexpr std::uint64_t primitive_header = 3;  // opcode and vertex count

bool known(std::uint8_t opcode) {
  return opcode == quads || opcode == triangles || opcode == strip || opcode == fan;
}

/// One vertex after another; `p` has room for count of them.
void read_indices(const std::uint8_t* p, const std::vector<VertexAttribute>& attributes,
                  Primitive& primitive) {
  primitive.indices.resize(std::size_t{primitive.count} * attributes.size());
  std::uint16_t* out = primitive.indices.data();
  for (std::size_t vertex = 0; vertex < primitive.count; ++vertex) {
    for (const VertexAttribute& attribute : attributes) {
      *out++ = attribute.width == 1 ? *p : load_be<std::uint16_t>(p);
      p += attribute.width;
    }
  }
}

/// Why decoding stopped at `p`, `room` bytes before the list's end.
std::string stop_reason(const std::uint8_t* p, std::uint64_t room, bool has_attributes) {
  if (!has_attributes) return "no vertex format is in force, so the list cannot be decoded";
  if (!known(*p)) {
    return fmt::format(
        "holds opcode {:#04x} where a primitive (0x80, 0x90, 0x98, 0xa0) or the end (0) must be; the "
        "graphics "
        "processor would take what follows for commands",
        *p);
  }
  if (room < primitive_header) return "ends inside a primitive's header";
  return fmt::format(
      "ends inside a primitive of {} vertices; the graphics processor would read on past the list",
      load_be<std::uint16_t>(p + 1));
}

}  // namespace

int PrimitiveList::column(Attribute attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const auto& a) { return a.attribute == attribute; });
  return found == attributes.end() ? -1 : static_cast<int>(found - attributes.begin());
}

std::optional<PrimitiveList> read_primitive_list(Input& in, std::uint64_t at, std::uint32_t size,
                                                 const std::vector<VertexAttribute>& attributes,
                                                 const Name& name) {
  const std::uint8_t* p = in.range(at, size, {name, "so the graphics processor would run over other memory"});
  if (p == nullptr) return std::nullopt;
  const std::uint8_t* const begin = p;
  const std::uint8_t* const end = p + size;

  PrimitiveList list;
  list.at = static_cast<std::uint32_t>(at);
  list.attributes = attributes;
  const std::uint64_t vertex_bytes = std::accumulate(attributes.begin(), attributes.end(), std::uint64_t{0},
                                                     [](auto sum, auto& a) { return sum + a.width; });

  while (p != end && *p != 0) {
    const auto room = static_cast<std::uint64_t>(end - p);
    if (attributes.empty() || !known(*p) || room < primitive_header) break;
    Primitive primitive{*p, load_be<std::uint16_t>(p + 1), {}};
    const std::uint64_t bytes = primitive_header + primitive.count * vertex_bytes;
    if (bytes > room) break;
    if (!in.charge(sizeof(Primitive) + sizeof(std::uint16_t) * primitive.count * attributes.size(), at,
                   name)) {
      return std::nullopt;
    }
    read_indices(p + primitive_header, attributes, primitive);
    list.primitives.push_back(std::move(primitive));
    p += bytes;
  }

  list.terminated = p == end || *p == 0;
  if (!list.terminated) {
    in.problem(ErrorCode::bad_value, at + (p - begin), name,
               stop_reason(p, static_cast<std::uint64_t>(end - p), !attributes.empty()));
  }
  if (!in.charge(end - p, at, name)) return std::nullopt;
  list.tail.assign(p, end);
  return list;
}

}  // namespace lockline
