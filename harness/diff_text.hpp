#pragma once

#include <string>
#include <string_view>

#include "harness/diff.hpp"

/// `lockline diff` for people.
namespace lockline::harness {

/// The names as the user gave them.
struct DiffNames {
  std::string_view donor, patched;
};

std::string diff_text(const DiffNames& names, const DiffReport& report, bool colour);

/// The vertices that moved, for a script in Blender: a header line, then per vertex, tab separated,
/// - slot: its number in the patched model's position buffer;
/// - object vertex: its number in the mesh that the add-on imports. It makes one mesh vertex per stored
///   position record, in their order (assumption), so this is the slot again; "-" for a scratch slot past the
///   `stored` records, which no mesh has;
/// - distance: the largest, in model units.
std::string selection_text(const DiffReport& report, std::uint32_t stored);

}  // namespace lockline::harness
