#include "formats/block.hpp"

#include <algorithm>

#include "formats/coverage.hpp"
#include "formats/sections.hpp"

namespace lockline {

namespace {

/// From `at` to the next section, wherever that one's pointer stands in the header, or to the block's end.
SectionRange section_at(const Block& block, std::uint32_t at) {
  const BlockHeader& h = block.header;
  std::uint32_t end = block.size;
  for (const std::uint32_t other : {h.gpl, h.act, h.tex, h.skn, h.ptr6, h.facial, h.ptr8}) {
    if (other > at) end = std::min(end, other);
  }
  return {at, end - at};
}

/// Runs `read` on the section at `pointer` when there is one.
template <class T, class Read>
void read_section(Input& in, const Block& block, std::uint32_t pointer, const char* section,
                  std::optional<T>& out, Read read) {
  if (pointer == 0) return;
  if (pointer >= block.size) {
    in.problem(ErrorCode::out_of_bounds, pointer, {names::block_header},
               fmt::format(
                   "points to {} at {:#x}, but the block ends at {:#x}; the game would follow a wild pointer",
                   section, pointer, block.size));
    return;
  }
  in.renew_budget();
  out = read(in, section_at(block, pointer));
}

std::optional<OpaqueSection> read_opaque(Input& in, SectionRange section, const char* name) {
  OpaqueSection opaque{section.at, {}};
  in.array(section.at, section.size, opaque.bytes, {{name}, "so it is unknown"});
  return opaque;
}

void read_sections(Input& in, Block& block) {
  const BlockHeader& h = block.header;
  read_section(in, block, h.act, "ACT", block.act, read_act);
  read_section(in, block, h.tex, "TEX", block.tex, read_tex);
  read_section(in, block, h.skn, "SKN", block.skn, read_skn);
  read_section(in, block, h.ptr6, "ptr6", block.ptr6,
               [](Input& i, SectionRange s) { return read_opaque(i, s, names::ptr6); });
  read_section(in, block, h.facial, "facial poses", block.facial, read_facial);
  read_section(in, block, h.ptr8, "ptr8", block.ptr8,
               [](Input& i, SectionRange s) { return read_opaque(i, s, names::ptr8); });
}

tl::unexpected<Error> no_block(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, 0, names::block_header, std::move(message)});
}

}  // namespace

const PositionArray* Block::skinned_positions() const {
  if (!gpl || gpl->submeshes.empty()) return nullptr;
  const auto& layout = gpl->submeshes.front().layout;
  return layout && layout->position ? &*layout->position : nullptr;
}

Expected<Block> parse_block(Bytes bytes) {
  if (bytes.size() < BlockHeader::bytes) {
    return no_block(ErrorCode::truncated,
                    fmt::format("a model block starts with a header of {} bytes; this file has {}",
                                BlockHeader::bytes, bytes.size()));
  }
  if (bytes.size() > max_block_bytes) {
    return no_block(ErrorCode::too_large,
                    fmt::format("{} bytes are more than any model block has; the limit is {}", bytes.size(),
                                max_block_bytes));
  }
  Block block;
  block.size = static_cast<std::uint32_t>(bytes.size());
  FieldReader{bytes.data()}(block.header);
  if (block.header.gpl == 0) {
    return no_block(ErrorCode::missing,
                    "has no GPL pointer, which every model block needs; this is no model block");
  }
  Input in(bytes, block.problems, block_kind);
  auto gpl = read_gpl(in, section_at(block, std::min(block.header.gpl, block.size)));
  if (!gpl) return tl::unexpected(std::move(gpl.error()));
  block.gpl = *std::move(gpl);
  read_sections(in, block);
  block.gaps = gaps_of(block, bytes);
  return block;
}

}  // namespace lockline
