#pragma once

#include <cstdint>
#include <vector>

#include "formats/anm.hpp"
#include "formats/block.hpp"

/// Private. What the structures of a file leave uncovered.
namespace lockline {

/// [begin, end) in file offsets.
struct Extent {
  std::uint32_t begin = 0, end = 0;
};

/// The stretches of [0, size) that no structure of the file covers, ascending, none empty.
std::vector<Extent> uncovered(const Block& block);
std::vector<Extent> uncovered(const Anm& anm);

/// The same with their bytes; `bytes` is what the file was read from.
template <class File>
std::vector<Gap> gaps_of(const File& file, Bytes bytes) {
  std::vector<Gap> gaps;
  for (const Extent& gap : uncovered(file))
    gaps.push_back({gap.begin, {bytes.begin() + gap.begin, bytes.begin() + gap.end}});
  return gaps;
}

}  // namespace lockline
