#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/subject.hpp"

namespace lockline::harness {

/// Who follows a pointer when a submesh is drawn. Source: runtime.md "Crash the seeds name"; graphics
/// processor: assumption.
enum class DrawReader : std::uint8_t {
  walk,   ///< FUN_8052e99c, at an instruction that is not known
  array,  ///< FUN_8052e99c at 0x8052ec90: the data pointer in an array header
  list,   ///< the graphics processor, which takes what is there for commands
};

/// A pointer the game follows when it draws a submesh.
struct DrawPointer {
  std::uint32_t at = 0;  ///< block offset of the field
  std::string structure;
  bool required = false;  ///< null is a null read; else null means "not there" and the part is not drawn
  DrawReader reader = DrawReader::walk;
};

/// Layout, header, state and list pointers of every submesh; optional ones only when the file has them.
std::vector<DrawPointer> draw_pointers(const Block& block);

/// Elements the arrays of a layout hold for an attribute of its primitives; 0 when there is no array.
std::uint32_t elements(const Layout& layout, Attribute attribute);

}  // namespace lockline::harness
