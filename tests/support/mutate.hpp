#pragma once

#include <cstdint>
#include <vector>

#include "formats/random.hpp"
#include "formats/view.hpp"

namespace lockline::tests {

/// One to four random changes of a byte, a u16 or a u32, some to plausible offsets; one in eight is cut off
/// too.
inline std::vector<std::uint8_t> mutate(std::vector<std::uint8_t> bytes, SplitMix64& random) {
  if (random.below(8) == 0) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size()) + 1));
  const std::uint32_t changes = 1 + random.below(4);
  for (std::uint32_t i = 0; i < changes && bytes.size() >= 4; ++i) {
    const std::uint32_t at = random.below(static_cast<std::uint32_t>(bytes.size()) - 3);
    switch (random.below(4)) {
      case 0:
        bytes[at] = static_cast<std::uint8_t>(random.next());
        break;
      case 1:
        store_be(bytes.data() + at / 2 * 2, static_cast<std::uint16_t>(random.next()));
        break;
      case 2:
        store_be(bytes.data() + at / 4 * 4, static_cast<std::uint32_t>(random.next()));
        break;
      default:
        store_be(bytes.data() + at / 4 * 4, random.below(static_cast<std::uint32_t>(bytes.size()) + 64));
        break;
    }
  }
  return bytes;
}

}  // namespace lockline::tests
