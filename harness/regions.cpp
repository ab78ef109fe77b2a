#include "harness/regions.hpp"

#include "harness/slots.hpp"

namespace lockline::harness {

bool memclr_overshoot_is_rounding(const Block& block) {
  if (!block.skn) return false;
  const auto only = SlotTable(block).accumulation_only();
  if (only.empty()) return false;
  const std::uint64_t needed = (std::uint64_t{only.back()} + 1) * vertex_stride;
  return std::uint64_t{block.skn->memclr_pointer} + block.skn->memclr_size < needed + cache_line;
}

}  // namespace lockline::harness
