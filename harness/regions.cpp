#include "harness/regions.hpp"

namespace lockline::harness {

bool is_memclr_rounding(const Subject& subject, std::uint32_t begin) {
  const PositionArray* positions = subject.block.skinned_positions();
  if (!subject.block.skn || positions == nullptr) return false;
  const auto only = subject.slots.accumulation_only();
  if (only.empty()) return false;
  const std::uint64_t needed = (std::uint64_t{only.back()} + 1) * vertex_stride;
  const std::uint64_t cleared =
      std::uint64_t{subject.block.skn->memclr_pointer} + subject.block.skn->memclr_size;
  return cleared < needed + cache_line && begin >= positions->data_at + needed;
}

}  // namespace lockline::harness
