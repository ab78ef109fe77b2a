#include "formats/coverage.hpp"

#include <algorithm>

#include "formats/visit.hpp"

namespace lockline {

std::vector<Extent> uncovered(const Block& block) {
  std::vector<Extent> covered;
  visit(block, [&](std::uint32_t at, StructureKind, const Name&, const auto&... parts) {
    const std::uint64_t end = std::min<std::uint64_t>(at + encoded_size(parts...), block.size);
    if (at < end) covered.push_back({at, static_cast<std::uint32_t>(end)});
  });
  std::sort(covered.begin(), covered.end(), [](Extent a, Extent b) { return a.begin < b.begin; });

  std::vector<Extent> gaps;
  std::uint32_t end = 0;
  for (const Extent& extent : covered) {
    if (extent.begin > end) gaps.push_back({end, extent.begin});
    end = std::max(end, extent.end);
  }
  if (end < block.size) gaps.push_back({end, block.size});
  return gaps;
}

}  // namespace lockline
