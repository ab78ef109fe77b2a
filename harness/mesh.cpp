#include "harness/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/draw.hpp"

namespace lockline::harness {
namespace {

constexpr std::size_t position_column = static_cast<std::size_t>(Attribute::position),
                      normal_column = static_cast<std::size_t>(Attribute::normal),
                      colour_column = static_cast<std::size_t>(Attribute::colour0),
                      texture_column = static_cast<std::size_t>(Attribute::tex0);

std::size_t listed_vertices(const Block& block) {
  std::size_t count = 0;
  for (const Submesh& submesh : block.gpl->submeshes) {
    if (!submesh.layout || !submesh.layout->display) continue;
    for (const DisplayState& state : submesh.layout->display->states) {
      if (!state.list) continue;
      for (const Primitive& primitive : state.list->primitives) count += primitive.count;
    }
  }
  return count;
}

class MeshBuilder {
 public:
  MeshBuilder(const Layout& layout, std::size_t submesh) : layout_(layout) { mesh_.submesh = submesh; }

  void add(const PrimitiveList& list, const Primitive& primitive) {
    list_ = &list;
    primitive_ = &primitive;
    const std::uint32_t n = primitive.count;
    switch (primitive.opcode) {
      case 0x90:
        for (std::uint32_t i = 0; i + 2 < n; i += 3) triangle(i, i + 1, i + 2);
        break;
      case 0x98:
        for (std::uint32_t i = 0; i + 2 < n; ++i) triangle(i, i + 1 + i % 2, i + 2 - i % 2);
        break;
      case 0x80:
        for (std::uint32_t i = 0; i + 3 < n; i += 4) {
          triangle(i, i + 1, i + 2);
          triangle(i, i + 2, i + 3);
        }
        break;
      case 0xA0:
        for (std::uint32_t i = 1; i + 1 < n; ++i) triangle(0, i, i + 1);
        break;
      default:
        break;
    }
    count_outside();
  }

  void take(DrawnModel& model) {
    model.outside += outside_;
    if (!mesh_.triangles.empty()) model.meshes.push_back(std::move(mesh_));
  }

 private:
  DrawnVertex vertex(std::uint32_t number) const {
    DrawnVertex v;
    v.fill(-1);
    const std::size_t width = list_->attributes.size();
    for (std::size_t column = 0; column < width; ++column) {
      const Attribute attribute = list_->attributes[column].attribute;
      const std::uint16_t index = primitive_->indices[number * width + column];
      if (index < elements(layout_, attribute)) v[static_cast<std::size_t>(attribute)] = index;
    }
    return v;
  }

  void count_outside() {
    const std::size_t width = list_->attributes.size();
    for (std::size_t i = 0; i < primitive_->indices.size(); ++i) {
      if (primitive_->indices[i] >= elements(layout_, list_->attributes[i % width].attribute)) ++outside_;
    }
  }

  std::uint32_t number_of(const DrawnVertex& v) {
    const auto [place, is_new] = numbers_.try_emplace(v, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(v);
    return place->second;
  }

  /// Three corners in the list's order, clockwise.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const DrawnVertex corners[] = {vertex(a), vertex(c), vertex(b)};
    const auto position = [&](std::size_t i) { return corners[i][position_column]; };
    const bool outside = position(0) < 0 || position(1) < 0 || position(2) < 0;
    const bool flat = position(0) == position(1) || position(1) == position(2) || position(2) == position(0);
    if (outside || flat) return;
    for (const DrawnVertex& corner : corners) mesh_.triangles.push_back(number_of(corner));
  }

  const Layout& layout_;
  DrawnMesh mesh_;
  std::size_t outside_ = 0;
  std::map<DrawnVertex, std::uint32_t> numbers_;
  const PrimitiveList* list_ = nullptr;
  const Primitive* primitive_ = nullptr;
};

void draw(const Layout& layout, std::size_t submesh, DrawnModel& model) {
  MeshBuilder builder(layout, submesh);
  for (const DisplayState& state : layout.display->states) {
    if (!state.list) continue;
    for (const Primitive& primitive : state.list->primitives) builder.add(*state.list, primitive);
  }
  builder.take(model);
}

constexpr float largest_component = 1e30F;

/// An array of the block as an image holds it.
class ImageArray {
 public:
  ImageArray(Bytes image, std::uint32_t at, const ArrayHeader& header)
      : image_(image),
        at_(at),
        components_(header.components),
        shift_(header.quantization.shift()),
        type_(component_type(header.quantization, header.at, "").value_or(ComponentType::s16)) {}

  float operator()(std::int32_t element, std::uint32_t component) const {
    const std::uint32_t size = component_size(type_);
    const std::uint64_t at =
        at_ + (std::uint64_t{components_} * static_cast<std::uint32_t>(element) + component) * size;
    if (element < 0 || component >= components_ || !contains(image_.size(), at, size)) return 0;
    const std::uint8_t* p = image_.data() + at;
    if (type_ == ComponentType::f32) {
      const float value = load_be<float>(p);
      return std::abs(value) < largest_component ? value : 0;
    }
    const int raw =
        type_ == ComponentType::u16 ? int{load_be<std::uint16_t>(p)} : int{load_be<std::int16_t>(p)};
    return std::ldexp(static_cast<float>(raw), -shift_);
  }

 private:
  Bytes image_;
  std::uint32_t at_, components_;
  int shift_;
  ComponentType type_;
};

using Vector = std::array<float, 3>;

Vector turned(const Vector& v, const Matrix& m) {
  Vector out;
  for (unsigned r = 0; r < 3; ++r) out[r] = m[4 * r] * v[0] + m[4 * r + 1] * v[1] + m[4 * r + 2] * v[2];
  return out;
}

Vector moved(const Vector& v, const Matrix& m) {
  Vector out = turned(v, m);
  for (unsigned r = 0; r < 3; ++r) {
    out[r] += m[4 * r + 3];
    if (!(std::abs(out[r]) < largest_component)) out[r] = 0;
  }
  return out;
}

Vector unit(const Vector& v) {
  const double length = std::sqrt(double{v[0]} * v[0] + double{v[1]} * v[1] + double{v[2]} * v[2]);
  if (!(length > 0) || !std::isfinite(length)) return {0, 0, 1};
  Vector out;
  for (unsigned i = 0; i < 3; ++i) out[i] = static_cast<float>(v[i] / length);
  return out;
}

void append(std::vector<float>& out, const Vector& v) {
  out.insert(out.end(), v.begin(), v.end());
}

/// Reads normals by the layout: interleaved with the positions on the skinned submesh, else an array of their
/// own.
class Normals {
 public:
  Normals(const Layout& layout, Bytes image)
      : interleaved_(layout.position->header.components == 6), array_(array(layout, image)) {}

  explicit operator bool() const { return array_.has_value(); }

  Vector operator()(const DrawnVertex& v) const {
    const bool own = v[normal_column] >= 0;
    const std::int32_t element = own ? v[normal_column] : interleaved_ ? v[position_column] : -1;
    const std::uint32_t first = interleaved_ ? 3 : 0;
    return {(*array_)(element, first), (*array_)(element, first + 1), (*array_)(element, first + 2)};
  }

 private:
  static std::optional<ImageArray> array(const Layout& layout, Bytes image) {
    if (layout.position->header.components == 6)
      return ImageArray(image, layout.position->data_at, layout.position->header);
    if (layout.lighting) return ImageArray(image, layout.lighting->data_at, layout.lighting->header);
    return std::nullopt;
  }

  bool interleaved_;
  std::optional<ImageArray> array_;
};

const Layout& layout_of(const DrawnMesh& mesh, const Block& block) {
  return *block.gpl->submeshes[mesh.submesh].layout;
}

using Rgba = std::array<std::uint8_t, 4>;

/// The `bits` of a packed colour from bit `low` on, spread over 0..255.
std::uint8_t channel(std::uint32_t packed, unsigned low, unsigned bits) {
  const std::uint32_t highest = (1U << bits) - 1;
  return static_cast<std::uint8_t>(((packed >> low & highest) * 255 + highest / 2) / highest);
}

Rgba unpack(std::uint32_t packed, std::uint8_t format) {
  switch (format) {
    case 0:
      return {channel(packed, 11, 5), channel(packed, 5, 6), channel(packed, 0, 5), 255};
    case 1:
      return {channel(packed, 16, 8), channel(packed, 8, 8), channel(packed, 0, 8), 255};
    case 2:
      return {channel(packed, 24, 8), channel(packed, 16, 8), channel(packed, 8, 8), 255};
    case 3:
      return {channel(packed, 12, 4), channel(packed, 8, 4), channel(packed, 4, 4), channel(packed, 0, 4)};
    case 4:
      return {channel(packed, 18, 6), channel(packed, 12, 6), channel(packed, 6, 6), channel(packed, 0, 6)};
    default:
      return {channel(packed, 24, 8), channel(packed, 16, 8), channel(packed, 8, 8), channel(packed, 0, 8)};
  }
}

}  // namespace

bool DrawnMesh::has(Attribute attribute) const {
  return std::any_of(vertices.begin(), vertices.end(),
                     [&](const DrawnVertex& v) { return v[static_cast<std::size_t>(attribute)] >= 0; });
}

Expected<DrawnModel> drawn_model(const Block& block) {
  DrawnModel model;
  if (!block.gpl) return model;
  if (listed_vertices(block) > max_listed_vertices) {
    return tl::unexpected(Error{ErrorCode::too_large, block.gpl->at, "GPL",
                                "the primitive lists name more than a million vertices"});
  }
  for (std::size_t s = 0; s < block.gpl->submeshes.size(); ++s) {
    const auto& layout = block.gpl->submeshes[s].layout;
    if (layout && layout->position && layout->display) draw(*layout, s, model);
  }
  return model;
}

Shape shape_of(const DrawnMesh& mesh, const Block& block, Bytes image, const Matrix& placement) {
  const Layout& layout = layout_of(mesh, block);
  const ImageArray positions(image, layout.position->data_at, layout.position->header);
  const Normals normals(layout, image);
  Shape shape;
  shape.positions.reserve(3 * mesh.vertices.size());
  if (normals) shape.normals.reserve(3 * mesh.vertices.size());
  for (const DrawnVertex& v : mesh.vertices) {
    const std::int32_t p = v[position_column];
    append(shape.positions, moved({positions(p, 0), positions(p, 1), positions(p, 2)}, placement));
    if (normals) append(shape.normals, unit(turned(normals(v), placement)));
  }
  return shape;
}

std::vector<float> texture_coordinates(const DrawnMesh& mesh, const Block& block, Bytes image,
                                       std::uint32_t channel_number) {
  const UvArray& uvs = layout_of(mesh, block).uvs[channel_number];
  const ImageArray array(image, uvs.data_at, uvs.header);
  std::vector<float> out;
  for (const DrawnVertex& v : mesh.vertices) {
    for (std::uint32_t c = 0; c < 2; ++c) out.push_back(array(v[texture_column + channel_number], c));
  }
  return out;
}

std::vector<std::uint8_t> colours(const DrawnMesh& mesh, const Block& block) {
  const auto& array = layout_of(mesh, block).colour;
  std::vector<std::uint8_t> out;
  for (const DrawnVertex& v : mesh.vertices) {
    const auto index = static_cast<std::size_t>(v[colour_column]);
    const bool known = v[colour_column] >= 0 && array && index < array->packed.size();
    const Rgba colour =
        known ? unpack(array->packed[index], array->header.quantization.format()) : Rgba{255, 255, 255, 255};
    out.insert(out.end(), colour.begin(), colour.end());
  }
  return out;
}

}  // namespace lockline::harness
