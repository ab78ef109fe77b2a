#pragma once

#include "harness/inspect.hpp"
#include "harness/slots.hpp"

namespace lockline::harness {

/// Inspection::lines. Time and memory follow the number of entries and structures, not the addresses they
/// name.
std::vector<LineRun> line_map(const Block& block, const StructureMap& map,
                              const std::vector<DirectEntry>& direct, const SlotTable& slots);

}  // namespace lockline::harness
