#include "harness/regions.hpp"

namespace lockline::harness {

bool memclr_overshoot_is_rounding(const Subject& subject) {
  if (!subject.block.skn) return false;
  const auto only = subject.slots.accumulation_only();
  if (only.empty()) return false;
  const std::uint64_t needed = (std::uint64_t{only.back()} + 1) * vertex_stride;
  return std::uint64_t{subject.block.skn->memclr_pointer} + subject.block.skn->memclr_size <
         needed + cache_line;
}

}  // namespace lockline::harness
