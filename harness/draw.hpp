#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/subject.hpp"

namespace lockline::harness {

/// A pointer the game follows when it draws a submesh.
struct DrawPointer {
  std::uint32_t at = 0;  ///< block offset of the field
  std::string structure;
  bool required = false;  ///< null is a null read; else null means "not there" and the part is not drawn
};

/// Layout, header, state and list pointers of every submesh that are not null in the file.
std::vector<DrawPointer> draw_pointers(const Block& block);

/// Elements the arrays of a layout hold for an attribute of its primitives; 0 when there is no array.
std::uint32_t elements(const Layout& layout, Attribute attribute);

}  // namespace lockline::harness
