#pragma once

#include <cstdlib>
#include <vector>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "formats/random.hpp"
#include "formats/view.hpp"

namespace lockline::tests {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// The bundled models below 16 KB.
inline std::vector<std::vector<std::uint8_t>> small_models() {
  std::vector<std::vector<std::uint8_t>> out;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    auto bytes = corpus::build_bytes(recipe);
    if (bytes && bytes->size() < 16 * 1024) out.push_back(std::move(*bytes));
  }
  return out;
}

/// Cut off, or with up to four numbers changed.
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
