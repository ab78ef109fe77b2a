#include "formats/coverage.hpp"

#include <algorithm>

#include "formats/visit.hpp"

namespace lockline {

namespace {

template <class File>
std::vector<Extent> covered_by(const File& file) {
  std::vector<Extent> covered;
  visit(file, [&](std::uint32_t at, StructureKind, const Name&, const auto&... parts) {
    const std::uint64_t end = std::min<std::uint64_t>(at + encoded_size(parts...), file.size);
    if (at < end) covered.push_back({at, static_cast<std::uint32_t>(end)});
  });
  return covered;
}

std::vector<Extent> complement(std::vector<Extent> covered, std::uint32_t size) {
  std::sort(covered.begin(), covered.end(), [](Extent a, Extent b) { return a.begin < b.begin; });
  std::vector<Extent> gaps;
  std::uint32_t end = 0;
  for (const Extent& extent : covered) {
    if (extent.begin > end) gaps.push_back({end, extent.begin});
    end = std::max(end, extent.end);
  }
  if (end < size) gaps.push_back({end, size});
  return gaps;
}

}  // namespace

std::vector<Extent> uncovered(const Block& block) {
  return complement(covered_by(block), block.size);
}

std::vector<Extent> uncovered(const Anm& anm) {
  return complement(covered_by(anm), anm.size);
}

}  // namespace lockline
