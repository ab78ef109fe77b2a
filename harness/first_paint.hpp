#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace lockline::harness {

/// Cells that keep the first value painted on them. A stroke skips what is taken, so that any number of
/// overlapping strokes costs no more than cells and strokes together: a damaged section may name every cell
/// tens of thousands of times.
class FirstPaint {
 public:
  explicit FirstPaint(std::uint32_t cells) : values_(cells, -1), next_(cells + 1) {
    std::iota(next_.begin(), next_.end(), 0U);
  }

  /// Paints `value` (>= 0) on the free cells of [begin, end), cut off at the last cell.
  void paint(std::uint64_t begin, std::uint64_t end, std::int32_t value) {
    const auto last = std::min<std::uint64_t>(end, values_.size());
    if (begin >= last) return;
    for (std::uint32_t cell = free_from(static_cast<std::uint32_t>(begin)); cell < last;
         cell = free_from(cell)) {
      values_[cell] = value;
      next_[cell] = cell + 1;
    }
  }

  /// The values, -1 where nothing was painted.
  const std::vector<std::int32_t>& values() const { return values_; }

 private:
  /// The first free cell at or after `cell`; the chains walked are shortened.
  std::uint32_t free_from(std::uint32_t cell) {
    while (next_[cell] != cell) cell = next_[cell] = next_[next_[cell]];
    return cell;
  }

  std::vector<std::int32_t> values_;
  std::vector<std::uint32_t> next_;
};

}  // namespace lockline::harness
