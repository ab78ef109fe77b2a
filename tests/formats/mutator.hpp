#pragma once

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include "support.hpp"

/// Random damage to real files. LOCKLINE_MUTATIONS sets the number of cases (default 5,000), LOCKLINE_SEED
/// the seed.
namespace lockline::tests {

inline std::uint64_t setting(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, std::vector<Data> originals)
      : random_(seed), originals_(std::move(originals)) {}

  Data next() {
    Data data = originals_[below(originals_.size())];
    const std::size_t changes = 1 + below(8) * below(2);
    for (std::size_t i = 0; i < changes; ++i) change(data);
    if (below(8) == 0) data.resize(below(data.size() + 1));
    data.shrink_to_fit();  // so that the sanitizer sees a read past the end
    return data;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  void change(Data& data) {
    const std::size_t words = data.size() / 4;
    switch (below(5)) {
      case 0:
        data[below(data.size())] = static_cast<std::uint8_t>(below(256));
        break;
      case 1:
        data[below(data.size())] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 2:
        poke(data, 4 * below(words), pointer(data));
        break;
      case 3:
        poke(data, 2 * below(2 * words), extreme());
        break;
      default:
        poke(data, header_word(data), pointer(data));
        break;
    }
  }

  /// A word that holds a small number now: probably a pointer or a count.
  std::size_t header_word(const Data& data) {
    for (int tries = 0; tries < 50; ++tries) {
      const std::size_t at = 4 * below(data.size() / 4);
      const auto value = peek<std::uint32_t>(data, at);
      if (value != 0 && value < data.size()) return at;
    }
    return 4;
  }

  std::uint32_t pointer(const Data& data) {
    const auto size = static_cast<std::uint32_t>(data.size());
    switch (below(4)) {
      case 0:
        return static_cast<std::uint32_t>(below(size));
      case 1:
        return size - static_cast<std::uint32_t>(below(64));
      case 2:
        return 0U - static_cast<std::uint32_t>(below(256));
      default:
        return static_cast<std::uint32_t>(random_());
    }
  }

  std::uint16_t extreme() {
    constexpr std::array<std::uint16_t, 8> values{0, 1, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF};
    return values[below(values.size())];
  }

  std::mt19937_64 random_;
  std::vector<Data> originals_;
};

/// Damages the originals again and again; `check` asserts what every input must survive.
template <class Check>
void damage(const std::vector<Data>& originals, Check check) {
  const std::uint64_t seed = setting("LOCKLINE_SEED", 20261130), cases = setting("LOCKLINE_MUTATIONS", 5000);
  std::cout << "seed " << seed << ", " << cases << " cases\n";
  Mutator mutator(seed, originals);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Data data = mutator.next();
    check(data);
    if (testing::Test::HasFatalFailure()) {
      std::ofstream("/tmp/lockline-mutation", std::ios::binary)
          .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
      FAIL() << "case " << i << " of seed " << seed << " is in /tmp/lockline-mutation";
    }
  }
}

}  // namespace lockline::tests
