#pragma once

#include <string>
#include <vector>

#include "formats/block.hpp"

namespace lockline::harness {

/// An SK1 or SK2 entry as the layout rules see it. Offsets and sizes in bytes.
struct DirectEntry {
  bool is_sk1 = true;
  std::uint32_t index = 0;
  std::uint32_t at = 0;           ///< block offset of the entry
  std::uint32_t source = 0;       ///< SKN-relative
  std::uint32_t destination = 0;  ///< relative to the position data
  std::uint32_t count = 0;
  std::uint32_t vertex_offset = 0;

  std::uint32_t struct_bytes() const { return is_sk1 ? Sk1Entry::bytes : Sk2Entry::bytes; }
  /// vertexOffset + count x 12: what the library transfers.
  std::uint32_t bytes() const { return vertex_offset + count * vertex_stride; }
  std::uint64_t first_vertex() const { return std::uint64_t{destination} + vertex_offset; }
  std::uint64_t vertices_end() const { return std::uint64_t{destination} + bytes(); }
  /// End of the last whole line written back.
  std::uint64_t write_back_end() const { return std::uint64_t{destination} + align_up(bytes(), cache_line); }
  std::string name() const;  ///< "SK1[3]"
};

/// All SK1 entries, then all SK2 entries; empty without a skin.
std::vector<DirectEntry> direct_entries(const Block& block);

/// SKAcc destinations of one entry, in order, as offsets into the position data.
std::vector<std::uint64_t> destinations(const SkAccEntry& entry);

}  // namespace lockline::harness
