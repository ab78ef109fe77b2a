#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/anm.hpp"
#include "formats/block.hpp"

namespace lockline {

/// What a range of bytes is to the game; rules ask for kinds, people read names.
enum class StructureKind {
  header,          ///< section header or descriptor table: holds pointers and counts
  layout,          ///< a submesh's DOLayout
  array_header,    ///< position, colour, UV, lighting header
  display_header,  ///< display header
  display_states,  ///< the display state table
  primitive_list,
  array_data,  ///< positions, colours, UVs, normals
  text,        ///< C strings
  bone,
  control,
  user_data,
  skn_entry,
  source,
  weights,
  indices,
  flush,
  facial_record,  ///< type descriptors, objects, attribute records
  run_list,
  pose,
  texture,
  opaque,
  sequence,  ///< from here on in animation banks
  track,
  keyframe,
  key_setting,
  key_controls,
  gap,
};

std::string_view name(StructureKind kind);

/// [begin, end) in block offsets. Name as "GPL / submesh 0 / UV 0 header", "SKN / SK2[14] / weights", "gap".
struct StructureRange {
  std::uint32_t begin = 0, end = 0;
  StructureKind kind = StructureKind::gap;
  std::string name;
};

/// Every byte of a block or an animation bank belongs to at least one range. Ranges overlap only where the
/// file's structures do.
class StructureMap {
 public:
  explicit StructureMap(const Block& block);
  explicit StructureMap(const Anm& anm);

  /// All ranges, ascending by begin, then end.
  std::span<const StructureRange> ranges() const { return ranges_; }

  /// Ranges that share a byte with [begin, end), ascending. Empty for an empty query.
  std::vector<const StructureRange*> overlapping(std::uint32_t begin, std::uint32_t end) const;

  /// "GPL / submesh 0 / colour header" or, for several, "A, B and 3 more".
  std::string describe(std::uint32_t begin, std::uint32_t end) const;

 private:
  template <class File>
  void fill(const File& file);

  std::vector<StructureRange> ranges_;
  std::vector<std::uint32_t> max_end_;  ///< prefix maximum of ranges_[i].end
};

}  // namespace lockline
