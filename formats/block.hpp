#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/act.hpp"
#include "formats/error.hpp"
#include "formats/facial.hpp"
#include "formats/gpl.hpp"
#include "formats/skn.hpp"
#include "formats/view.hpp"

/// A model block: one character model as the game loads it. Source: formats.md "Model block".
namespace lockline {

/// The first 0x20 bytes; section pointers are block-relative, 0 = none.
struct BlockHeader {
  static constexpr std::uint32_t bytes = 0x20;
  std::uint32_t zero = 0;
  std::uint32_t gpl = 0, act = 0, tex = 0, skn = 0, ptr6 = 0, facial = 0, ptr8 = 0;
};

/// Textures and the two unnamed sections, kept as bytes.
struct OpaqueSection {
  std::uint32_t at = 0;
  std::vector<std::uint8_t> bytes;
};

/// One texture of a TEX section that is a TPL (magic 0x0020AF30; public format, assumption for this game).
struct TextureDescriptor {
  std::uint32_t at = 0;
  std::uint32_t image_pointer = 0, palette_pointer = 0;  ///< TEX-relative
  std::uint16_t height = 0, width = 0;
  std::uint32_t format = 0, data_pointer = 0;
};

struct Tex {
  OpaqueSection content;
  /// Read from `content`, which is what serialize() writes. Empty when the section is not a TPL.
  std::vector<TextureDescriptor> descriptors;
};

/// Bytes no structure names: padding, alignment, scratch space.
struct Gap {
  std::uint32_t at = 0;
  std::vector<std::uint8_t> bytes;
};

struct Block {
  std::uint32_t size = 0;
  BlockHeader header;
  std::optional<Gpl> gpl;
  std::optional<Act> act;
  std::optional<Tex> tex;
  std::optional<Skn> skn;
  std::optional<Facial> facial;
  std::optional<OpaqueSection> ptr6, ptr8;
  std::vector<Gap> gaps;  ///< ascending; non-empty ones only
  /// What could not be understood, in the order met: a section out of bounds, an array cut off, ...
  std::vector<Error> problems;

  /// Submesh 0's positions when the block has them: what SKN destinations are relative to.
  const PositionArray* skinned_positions() const;
};

/// The largest file read as a block. Vanilla blocks are below 2 MB; the console has 88 MB.
inline constexpr std::size_t max_block_bytes = 64U << 20;

/// Reads a block as far as it can be understood. Fails only when the bytes are no block at all: shorter than
/// its header, over max_block_bytes, or without a readable GPL. Everything else that is wrong is listed in
/// Block::problems. Time and memory are bounded by a small multiple of bytes.size(), whatever the counts say.
Expected<Block> parse_block(Bytes bytes);

/// The block's bytes: gaps first, then every structure at its offset. serialize(parse(x)) == x for every x
/// that parses. Structures that leave [0, size) are cut off at its end.
std::vector<std::uint8_t> serialize(const Block& block);

}  // namespace lockline
