#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/gpl.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {

/// What one submesh is made of. Structures follow each other in the order of the vanilla models: layout,
/// position header, position data, colours, UVs, normals, display header and states, primitive lists, names.
struct MeshInput {
  std::string name;
  std::vector<std::int16_t> positions;  ///< `components` per vertex
  std::uint8_t components = 3;          ///< 6: interleaved normals, which the lighting header shares
  std::uint8_t shift = 11;              ///< of positions and normals
  std::vector<std::int16_t> normals;    ///< 3 per normal, rigid submeshes only
  std::uint32_t colours = 0, uvs = 0, lists = 1, textures = 0;
  std::vector<std::uint32_t> drawn;  ///< positions the primitives use, in this order
  std::uint32_t reserve = 0;         ///< bytes the position region takes at least
  std::uint32_t position_shift = 0;  ///< bytes off a 32-byte boundary (skinned submesh)
};

/// A GPL section at block offset `at`; `size` is a multiple of 32.
Gpl build_gpl(std::span<const MeshInput> meshes, std::uint32_t at, SplitMix64& random);

}  // namespace lockline::corpus
