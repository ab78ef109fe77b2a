#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/block.hpp"
#include "formats/structure_map.hpp"

/// What `lockline inspect` shows beyond the parsed block itself.
namespace lockline::harness {

struct Section {
  std::string_view name;  ///< "GPL", "facial poses", ...
  std::uint32_t at = 0, size = 0;
};

/// One SK1, SK2 or SKAcc entry.
struct EntryRow {
  std::string name;      ///< "SK1[3]"
  std::uint32_t at = 0;  ///< block offset of the entry
  std::vector<std::uint16_t> bones;
  std::uint32_t count = 0;
  std::uint32_t source = 0;         ///< SKN-relative
  std::uint32_t destination = 0;    ///< position-data-relative
  std::uint32_t vertex_offset = 0;  ///< SK1 and SK2
  std::uint32_t bytes = 0;          ///< vertexOffset + count x 12
  std::uint64_t write_back_end =
      0;  ///< SK1 and SK2: end of the last line stored; SKAcc: end of the last slot
  /// Lowest and highest slot written; unset when writes do not fall on slots, or there are none.
  std::optional<std::uint64_t> first_slot, last_slot;
  std::uint32_t supplemented = 0;  ///< SK1 and SK2: slots that SKAcc adds to
};

/// Who writes a 32-byte line of the position buffer.
enum class LineOwner {
  entry,              ///< an SK1 or SK2 write-back
  accumulation_only,  ///< slots that only SKAcc writes
  memclr,             ///< the clear
};

/// Neighbouring lines of the position buffer that are alike. Offsets are position-data-relative.
struct LineRun {
  static constexpr std::size_t max_names = 4;

  std::uint64_t begin = 0, end = 0;  ///< multiples of 32
  std::vector<std::string> owners;   ///< at most max_names; empty: a gap, written by nothing
  std::size_t owner_count = 0;
  std::vector<std::string>
      structures;  ///< at most max_names that are not the positions: what lies there in the file
  std::size_t structure_count = 0;
  bool stored = false;   ///< positions of the file reach into it; else scratch space
  bool overlap = false;  ///< two entries, or an entry and accumulation-only slots or memClr
};

struct Inspection {
  std::vector<Section> sections;  ///< ascending
  std::vector<EntryRow> entries;  ///< SK1, SK2, SKAcc
  std::vector<LineRun> lines;     ///< from line 0 to the last one stored or written; empty without positions
};

Inspection inspect(const Block& block, const StructureMap& map);

}  // namespace lockline::harness
