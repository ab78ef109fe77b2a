#pragma once

#include <cstdint>
#include <vector>

#include "formats/block.hpp"

/// Private. What the structures of a block leave uncovered.
namespace lockline {

/// [begin, end) in block offsets.
struct Extent {
  std::uint32_t begin = 0, end = 0;
};

/// The stretches of [0, size) that no structure of the block covers, ascending, none empty.
std::vector<Extent> uncovered(const Block& block);

}  // namespace lockline
