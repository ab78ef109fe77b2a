#pragma once

#include <optional>
#include <string>

#include "harness/subject.hpp"

namespace lockline::harness {

/// What is drawn wrong once a frame has changed bytes of a GPL structure: which counts, formats and settings
/// become what, how many elements of an array change and how many drawn vertices use them. `loaded` and `now`
/// are the block's bytes before the first frame and after this one. nullopt for structures that drawing does
/// not read, and for pointers alone (run.draw's). That the graphics processor checks no array's length is an
/// assumption from its interface: it gets a base address and a stride.
std::optional<std::string> draw_effect(const Block& block, const StructureRange& range, Bytes loaded,
                                       Bytes now);

}  // namespace lockline::harness
