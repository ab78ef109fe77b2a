#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/bones.hpp"
#include "formats/block.hpp"

/// A submesh as triangles: what the primitive lists draw, and where its vertices are in an image of the
/// block.
namespace lockline::harness {

/// The element of each array that a vertex takes, by Attribute; -1: the list has no such attribute, or the
/// index leads outside its array.
using DrawnVertex = std::array<std::int32_t, attribute_count>;

struct DrawnMesh {
  std::size_t submesh = 0;
  std::vector<DrawnVertex> vertices;     ///< each once; all have a position
  std::vector<std::uint32_t> triangles;  ///< three vertices each, counter-clockwise seen from the front

  bool has(Attribute attribute) const;
};

/// The most vertices the primitive lists of a block may name to be drawn. Vanilla models stay below 30,000
/// (assumption).
inline constexpr std::size_t max_listed_vertices = 1U << 20;

/// Everything a block draws.
struct DrawnModel {
  std::vector<DrawnMesh> meshes;  ///< those with a triangle at least
  std::size_t outside = 0;        ///< indices of the primitive lists that lead outside their arrays
};

/// What the primitive lists say. Triangles with a position outside its array are left out, and so are
/// those without area by their indices. The graphics processor's front is clockwise (public documentation),
/// so the corners are listed the other way round. Error: too_large over max_listed_vertices.
Expected<DrawnModel> drawn_model(const Block& block);

/// Positions and unit normals of a mesh's vertices, three floats each; `normals` is empty when it has none.
struct Shape {
  std::vector<float> positions, normals;
};

/// The mesh as `image`, the block's bytes at some time, holds it, moved by `placement` (3x4, row order).
/// `block` says where the arrays are. What lies outside the image, is no number or is beyond 1e30 counts as
/// 0; a normal of no length, and a missing one, points along z.
Shape shape_of(const DrawnMesh& mesh, const Block& block, Bytes image,
               const Matrix& placement = emu::identity_matrix);

/// U, v of every vertex in channel `channel` (0..7), read as shape_of() does; the origin is the top left.
std::vector<float> texture_coordinates(const DrawnMesh& mesh, const Block& block, Bytes image,
                                       std::uint32_t channel);

/// R, g, b, a of every vertex's colour 0; white where there is none.
std::vector<std::uint8_t> colours(const DrawnMesh& mesh, const Block& block);

}  // namespace lockline::harness
