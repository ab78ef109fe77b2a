#include "corpus/builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/act_builder.hpp"
#include "corpus/body.hpp"
#include "corpus/breaks.hpp"
#include "corpus/cursor.hpp"
#include "corpus/facial_builder.hpp"
#include "corpus/gpl_builder.hpp"

namespace lockline::corpus {
namespace {

constexpr std::uint8_t acc_kind = 0, position_kind = 1, normal_kind = 2;
constexpr std::int32_t rigid_extent = 2048;

MeshInput body_mesh(const Recipe& recipe, const Body& body) {
  MeshInput mesh;
  mesh.name = recipe.name + "_body";
  mesh.components = 6;
  mesh.shift = recipe.body->shift;
  for (std::uint32_t slot = 0; slot < body.stored; ++slot) {
    mesh.positions.insert(mesh.positions.end(), body.layout.positions[slot].begin(),
                          body.layout.positions[slot].end());
  }
  mesh.colours = recipe.body->colours;
  mesh.uvs = recipe.body->uvs;
  mesh.lists = recipe.body->lists;
  mesh.textures = recipe.textures;
  mesh.drawn = body.drawn;
  mesh.reserve =
      recipe.body->reserve ? body.layout.write_end : body.stored * vertex_stride + recipe.body->scratch;
  mesh.position_shift = recipe.body->position_shift;
  return mesh;
}

MeshInput rigid_mesh(const Recipe& recipe, const SubmeshRecipe& submesh, SplitMix64& random) {
  MeshInput mesh;
  mesh.name = submesh.name;
  mesh.shift = submesh.shift;
  for (std::uint32_t i = 0; i < submesh.vertices; ++i) {
    const SkinVertex vertex = random_vertex(random, rigid_extent, submesh.shift);
    mesh.positions.insert(mesh.positions.end(), vertex.begin(), vertex.begin() + 3);
    mesh.drawn.push_back(i);
  }
  for (std::uint32_t i = 0; i < submesh.normals; ++i) {
    const SkinVertex vertex = random_vertex(random, rigid_extent, submesh.shift);
    mesh.normals.insert(mesh.normals.end(), vertex.begin() + 3, vertex.end());
  }
  mesh.colours = submesh.colours;
  mesh.uvs = submesh.uvs;
  mesh.textures = submesh.uvs != 0 ? recipe.textures : 0;
  return mesh;
}

Error missing(std::string message) {
  return {ErrorCode::missing, 0, "recipe", std::move(message)};
}

/// Record values at `indices` of an array with `components` per record.
FaceAttributeInput attribute(std::uint8_t target, std::uint8_t kind, std::uint8_t components,
                             std::vector<std::uint16_t> indices, std::span<const std::int16_t> array) {
  FaceAttributeInput input{target, kind, components, 2, std::move(indices), {}};
  for (const std::uint16_t index : input.indices)
    for (std::uint8_t c = 0; c < components; ++c) input.rest.push_back(array[index * components + c]);
  return input;
}

Expected<std::vector<std::uint16_t>> face_slots(const FaceRecipe& face, const Recipe& recipe,
                                                const Body& body) {
  std::vector<std::uint16_t> slots;
  for (const FacePart& part : face.parts) {
    if (part.group >= body.group_first.size())
      return tl::unexpected(missing(fmt::format("no group {}", part.group)));
    const std::uint32_t count = recipe.body->groups[part.group].count;
    if (!contains(count, part.first, part.count))
      return tl::unexpected(missing(fmt::format("group {} has only {} vertices", part.group, count)));
    for (std::uint32_t i = 0; i < part.count; ++i) {
      const std::uint32_t slot = body.layout.slots[body.group_first[part.group] + part.first + i];
      if (slot >= body.stored) return tl::unexpected(missing("a facial vertex has no stored slot"));
      slots.push_back(static_cast<std::uint16_t>(slot));
    }
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

/// Kind 0 writes 6 x s8 records onto an SKAcc entry's source; here onto all of them.
Expected<FaceAttributeInput> supplement(std::uint16_t entry, const Skn& skn) {
  if (entry >= skn.acc.size() || entry > 255)
    return tl::unexpected(missing(fmt::format("no SKAcc entry {}", entry)));
  FaceAttributeInput input{static_cast<std::uint8_t>(entry), acc_kind, 6, 1, {}, {}};
  for (std::uint16_t i = 0; i < skn.acc[entry].count; ++i) {
    input.indices.push_back(i);
    for (const std::int16_t value : skn.acc[entry].vertices[i]) {
      if (value < -128 || value > 127)
        return tl::unexpected(missing("an SKAcc source that fits 6 x s8 records"));
      input.rest.push_back(value);
    }
  }
  return input;
}

Expected<FaceObjectInput> body_face(const FaceRecipe& face, const Recipe& recipe, const Body& body,
                                    const MeshInput& mesh) {
  auto slots = face_slots(face, recipe, body);
  if (!slots) return tl::unexpected(slots.error());
  FaceObjectInput object{face.poses, {attribute(0, position_kind, 6, std::move(*slots), mesh.positions)}};
  if (!face.supplement) return object;
  auto extra = supplement(*face.supplement, body.layout.skn);
  if (!extra) return tl::unexpected(extra.error());
  object.attributes.push_back(std::move(*extra));
  return object;
}

std::vector<std::uint16_t> first_indices(std::uint32_t count) {
  std::vector<std::uint16_t> indices;
  for (std::uint32_t i = 0; i < count; ++i) indices.push_back(static_cast<std::uint16_t>(i));
  return indices;
}

Expected<FaceObjectInput> rigid_face(const FaceRecipe& face, std::span<const MeshInput> meshes) {
  if (face.submesh >= meshes.size())
    return tl::unexpected(missing(fmt::format("no submesh {}", face.submesh)));
  const MeshInput& mesh = meshes[face.submesh];
  if (face.vertices > mesh.positions.size() / 3 || face.normals > mesh.normals.size() / 3)
    return tl::unexpected(missing(fmt::format("submesh {} has fewer vertices or normals", face.submesh)));
  const auto target = static_cast<std::uint8_t>(face.submesh);
  FaceObjectInput object{face.poses,
                         {attribute(target, position_kind, 3, first_indices(face.vertices), mesh.positions)}};
  if (face.normals != 0)
    object.attributes.push_back(attribute(target, normal_kind, 3, first_indices(face.normals), mesh.normals));
  return object;
}

Expected<std::vector<FaceObjectInput>> faces(const Recipe& recipe, const std::optional<Body>& body,
                                             std::span<const MeshInput> meshes) {
  std::vector<FaceObjectInput> objects;
  for (const FaceRecipe& face : recipe.facial.objects) {
    const bool on_body = body && face.submesh == 0;
    auto object = on_body ? body_face(face, recipe, *body, meshes[0]) : rigid_face(face, meshes);
    if (!object) return tl::unexpected(object.error());
    objects.push_back(std::move(*object));
  }
  return objects;
}

/// A TPL with `count` RGB5A3 textures of 8 x 8 pixels, zero pixels.
Tex build_tex(std::uint32_t count, std::uint32_t at) {
  constexpr std::uint32_t magic = 0x0020AF30, header = 12, row = 8, image = 36, rgb5a3 = 5, pixels = 128;
  Tex tex;
  tex.content.at = at;
  const std::uint32_t images = header + count * row;
  const std::uint32_t data = align_up(images + count * image, cache_line);
  auto& bytes = tex.content.bytes;
  bytes.resize(data + count * pixels);
  const auto put = [&](std::uint32_t offset, auto value) { store_be(&bytes[offset], value); };
  put(0, magic);
  put(4, count);
  put(8, header);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t descriptor = images + i * image;
    put(header + i * row, descriptor);
    put(descriptor, std::uint16_t{8});
    put(descriptor + 2, std::uint16_t{8});
    put(descriptor + 4, rgb5a3);
    put(descriptor + 8, data + i * pixels);
  }
  return tex;
}

OpaqueSection build_opaque(std::uint32_t at, SplitMix64& random) {
  OpaqueSection section{at, std::vector<std::uint8_t>(cache_line)};
  for (std::uint8_t& byte : section.bytes) byte = static_cast<std::uint8_t>(random.below(256));
  return section;
}

/// Sections in the header's order, each on a 32-byte boundary.
void place_sections(const Recipe& recipe, std::optional<Body> body, std::span<const MeshInput> meshes,
                    const std::vector<FaceObjectInput>& objects, SplitMix64& random, Block& block) {
  BlockHeader& header = block.header;
  header.gpl = BlockHeader::bytes;
  block.gpl = build_gpl(meshes, header.gpl, random);
  header.act = header.gpl + block.gpl->size;
  block.act = build_act(recipe, header.act, random);
  std::uint32_t at = header.act + block.act->size;
  if (recipe.textures != 0) {
    header.tex = at;
    block.tex = build_tex(recipe.textures, at);
    at += align_up(static_cast<std::uint32_t>(block.tex->content.bytes.size()), cache_line);
  }
  if (body) {
    header.skn = at;
    block.skn = std::move(body->layout.skn);
    place(*block.skn, at);
    at += block.skn->size;
  }
  if (recipe.extras) {
    header.ptr6 = at;
    block.ptr6 = build_opaque(at, random);
    at += cache_line;
  }
  if (!objects.empty()) {
    header.facial = at;
    block.facial = build_facial(objects, recipe.facial.terminators, at, random);
    at += block.facial->size;
  }
  if (recipe.extras) {
    header.ptr8 = at;
    block.ptr8 = build_opaque(at, random);
    at += cache_line;
  }
  block.size = at;
}

}  // namespace

Expected<Block> build(const Recipe& recipe) {
  SplitMix64 random(recipe.seed);
  std::optional<Body> body;
  std::vector<MeshInput> meshes;
  if (recipe.body) {
    auto made = make_body(recipe, random);
    if (!made) return tl::unexpected(made.error());
    body = std::move(*made);
    meshes.push_back(body_mesh(recipe, *body));
  }
  for (const SubmeshRecipe& submesh : recipe.submeshes) meshes.push_back(rigid_mesh(recipe, submesh, random));
  const auto objects = faces(recipe, body, meshes);
  if (!objects) return tl::unexpected(objects.error());
  Block block;
  place_sections(recipe, std::move(body), meshes, *objects, random, block);
  for (const BreakRecipe& row : recipe.breaks)
    if (auto done = apply_break(block, row); !done) return tl::unexpected(done.error());
  return block;
}

Expected<std::vector<std::uint8_t>> build_bytes(const Recipe& recipe) {
  return build(recipe).map([](const Block& block) { return serialize(block); });
}

}  // namespace lockline::corpus
