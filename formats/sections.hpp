#pragma once

#include <cstdint>
#include <optional>

#include "formats/input.hpp"

/// Private. One reader per section: [at, at + size) is the section, but what its pointers lead to may lie
/// anywhere in the block. Nothing when not even the section's header could be read.
namespace lockline {

struct SectionRange {
  std::uint32_t at = 0, size = 0;
};

/// Without a readable header or with a wrong magic: an error, since then the block is none.
Expected<Gpl> read_gpl(Input& in, SectionRange section);
std::optional<Act> read_act(Input& in, SectionRange section);
std::optional<Skn> read_skn(Input& in, SectionRange section);
std::optional<Facial> read_facial(Input& in, SectionRange section);
std::optional<Tex> read_tex(Input& in, SectionRange section);

/// Parts of read_gpl with files of their own.
void read_display(Input& in, const Layout& layout, std::size_t submesh, DisplayHeader& display);
std::optional<PrimitiveList> read_primitive_list(Input& in, std::uint64_t at, std::uint32_t size,
                                                 const std::vector<VertexAttribute>& attributes,
                                                 const Name& name);

}  // namespace lockline
