#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "formats/view.hpp"

/// SKN: what moves the skinned vertices. Source: formats.md "SKN", seeds/skinning-data-section.
/// Source, weight, index and flush pointers are SKN-relative; destinations and memClr are relative to the
/// first byte of submesh 0's position data.
namespace lockline {

/// Bytes of one skinned vertex: x y z nx ny nz as s16. The runtime uses 12 whatever the arrays say.
inline constexpr std::uint32_t vertex_stride = 12;

using SkinVertex = std::array<std::int16_t, 6>;
using Matrix = std::array<float, 12>;

/// One bone, weight 1: overwrites `count` consecutive vertices. 0x40 bytes.
struct Sk1Entry {
  static constexpr std::uint32_t bytes = 0x40;
  std::uint32_t at = 0;
  Matrix matrix{};                ///< filled at run time
  std::uint32_t source = 0;       ///< SKN-relative; the first vertex is at source + vertex_offset
  std::uint32_t destination = 0;  ///< gplVertexArr
  std::uint16_t bone = 0;
  std::uint16_t count = 0;
  std::uint8_t vertex_offset = 0;
  std::array<std::uint8_t, 3> pad{};

  std::uint32_t source_at = 0;       ///< block offset of `source`
  std::vector<std::uint8_t> prefix;  ///< the vertex_offset bytes before the first vertex
  std::vector<SkinVertex> vertices;  ///< empty when the source array leaves the block
};

/// Two bones: overwrites. 0x74 bytes.
struct Sk2Entry {
  static constexpr std::uint32_t bytes = 0x74;
  std::uint32_t at = 0;
  Matrix matrix1{}, matrix2{};
  std::uint32_t source = 0;
  std::uint32_t weights_pointer = 0;
  std::uint32_t destination = 0;
  std::uint16_t bone1 = 0, bone2 = 0;
  std::uint16_t count = 0;
  std::uint8_t vertex_offset = 0;
  std::array<std::uint8_t, 1> pad{};

  std::uint32_t source_at = 0, weights_at = 0;
  std::vector<std::uint8_t> prefix;
  std::vector<SkinVertex> vertices;
  std::vector<std::array<std::uint8_t, 2>> weights;  ///< of 256, not of 255
};

/// One bone, weighted, added onto scattered vertices. 0x44 bytes.
struct SkAccEntry {
  static constexpr std::uint32_t bytes = 0x44;
  std::uint32_t at = 0;
  Matrix matrix{};
  std::uint32_t source = 0;
  std::uint32_t indices_pointer = 0;
  std::uint32_t destination = 0;  ///< gplDestArr; vertex k goes to destination + indices[k] x 12
  std::uint32_t weights_pointer = 0;
  std::uint16_t bone = 0;
  std::uint16_t count = 0;

  std::uint32_t source_at = 0, indices_at = 0, weights_at = 0;
  std::vector<SkinVertex> vertices;
  std::vector<std::uint16_t> indices;
  std::vector<std::uint8_t> weights;
};

struct Skn {
  static constexpr std::uint32_t header_bytes = 0x24;

  std::uint32_t at = 0;
  std::uint32_t size = 0;
  std::uint16_t sk1_count = 0, sk2_count = 0, acc_count = 0;
  std::uint8_t quantize_info = 0;  ///< the scale given to GQR7
  std::uint8_t pad = 0;
  std::uint32_t sk1_pointer = 0, sk2_pointer = 0, acc_pointer = 0;
  std::uint32_t memclr_pointer = 0, memclr_size = 0;
  std::uint32_t flush_pointer = 0, flush_count = 0;

  std::uint32_t flush_at = 0;
  std::vector<Sk1Entry> sk1;
  std::vector<Sk2Entry> sk2;
  std::vector<SkAccEntry> acc;
  std::vector<std::uint16_t> flush;

  /// VAR_DATA_OFF of the mirror rule: the end of the SKAcc array, rounded up to a line, SKN-relative (from
  /// the counts).
  std::uint32_t variable_data_offset() const {
    const std::uint32_t end = header_bytes + sk1_count * Sk1Entry::bytes + sk2_count * Sk2Entry::bytes +
                              acc_count * SkAccEntry::bytes;
    return align_up(end, cache_line);
  }
};

}  // namespace lockline
