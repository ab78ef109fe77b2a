#include <cstdlib>
#include <random>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "formats/structure_map.hpp"
#include "support.hpp"

// Random damage to real blocks. LOCKLINE_MUTATIONS sets the number of cases (default 20,000), LOCKLINE_SEED
// the seed.

namespace lockline::tests {
namespace {

std::uint64_t setting(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

/// What every input must survive: it parses or gives an error, comes back unchanged, and its map covers it.
void check(const Data& data) {
  const auto block = parse_block(data);
  if (!block) {
    ASSERT_FALSE(block.error().message.empty());
    return;
  }
  ASSERT_EQ(serialize(*block), data);
  const StructureMap map(*block);
  std::uint32_t covered = 0;
  for (const StructureRange& range : map.ranges()) {
    ASSERT_LE(range.begin, covered);
    covered = std::max(covered, range.end);
  }
  ASSERT_EQ(covered, block->size);
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {
    for (const std::string& name : vector_names()) originals_.push_back(vector_block(name));
    // The vectors have no facial poses.
    for (const corpus::Recipe& recipe : corpus::bundled()) {
      const auto bytes = corpus::build_bytes(recipe);
      if (!recipe.facial.objects.empty() && bytes && bytes->size() < 0x20000) originals_.push_back(*bytes);
    }
  }

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

TEST(Mutation, RandomDamage) {
  const std::uint64_t seed = setting("LOCKLINE_SEED", 20261130), cases = setting("LOCKLINE_MUTATIONS", 20000);
  std::cout << "seed " << seed << ", " << cases << " cases\n";
  Mutator mutator(seed);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Data data = mutator.next();
    check(data);
    if (HasFatalFailure()) {
      std::ofstream("/tmp/lockline-mutation.block", std::ios::binary)
          .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
      FAIL() << "case " << i << " of seed " << seed << " is in /tmp/lockline-mutation.block";
    }
  }
}

TEST(Mutation, EveryByteOfASmallBlock) {
  const Data original = vector_block("acc_count0");
  Data data = original;
  for (std::size_t at = 0; at < data.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      data[at] = static_cast<std::uint8_t>(value);
      ASSERT_NO_FATAL_FAILURE(check(data)) << at << " = " << value;
    }
    data[at] = original[at];
  }
}

TEST(Mutation, EveryWordOfASmallBlockAsAPointer) {
  const Data original = vector_block("canonical_small");
  const auto size = static_cast<std::uint32_t>(original.size());
  Data data = original;
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
    for (const std::uint32_t value :
         {0U, 4U, 0x20U, size / 2, size - 4, size - 1, size, 0x80000000U, 0xFFFFFFE0U, 0xFFFFFFFFU}) {
      poke(data, at, value);
      ASSERT_NO_FATAL_FAILURE(check(data)) << at << " = " << value;
    }
    poke(data, at, peek<std::uint32_t>(original, at));
  }
}

TEST(Mutation, NoiseBehindAValidStart) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    Data data(0x20 + random() % 4096);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    for (std::size_t at = 0; at < 0x20; at += 4)
      poke(data, at, static_cast<std::uint32_t>(random() % (data.size() + 8)));
    poke(data, 4, std::uint32_t{0x20});
    poke(data, 0x20, Gpl::magic_value);
    poke(data, 0x2C, static_cast<std::uint32_t>(random() % 100));
    poke(data, 0x30, static_cast<std::uint32_t>(random() % data.size()));
    if (const auto act = peek<std::uint32_t>(data, 8); act >= 0x34 && act + 4 < data.size())
      poke(data, act, Act::magic_value);
    ASSERT_NO_FATAL_FAILURE(check(data)) << i;
  }
}

}  // namespace
}  // namespace lockline::tests
