#pragma once

#include "formats/structure_map.hpp"

/// A fuzzer's bytes as one section of a block that is otherwise as small as can be.
namespace lockline::fuzz {

/// Where the header has the section's pointer.
enum class Section : std::uint32_t { gpl = 4, act = 8, tex = 12, skn = 16, facial = 24 };

/// Header, an empty GPL section (unless `section` is GPL), then the bytes.
inline std::vector<std::uint8_t> block_with(Section section, Bytes bytes) {
  std::vector<std::uint8_t> out(0x40);
  store_be(out.data() + 4, std::uint32_t{0x20});
  store_be(out.data() + 0x20, Gpl::magic_value);
  const std::uint32_t at = section == Section::gpl ? 0x20 : 0x40;
  out.resize(at);
  store_be(out.data() + static_cast<std::uint32_t>(section), at);
  out.insert(out.end(), bytes.begin(), bytes.end());
  return out;
}

/// Parses, writes back and maps; stops the process when the bytes do not come back.
inline void exercise(Bytes bytes) {
  const auto block = parse_block(bytes);
  if (!block) return;
  const auto again = serialize(*block);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) __builtin_trap();
  const StructureMap map(*block);
  if (block->size != 0 && map.ranges().empty()) __builtin_trap();
}

}  // namespace lockline::fuzz
