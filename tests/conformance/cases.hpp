#pragma once

#include <functional>
#include <string>

#include "tests/conformance/chunks.hpp"

namespace lockline::conformance {

/// One block and the palette it runs under. The name begins with its kind: "corpus/", "vectors/", "random/".
struct Case {
  std::string name;
  Buffer block, palette;
};

/// The next case of a file, or nothing at its end.
std::optional<Case> next_case(ChunkReader& file);
void put_case(Buffer& file, const Case& c);

/// Every bundled recipe that has a skin, under a seeded palette.
std::vector<Case> corpus_cases(std::uint64_t seed);
/// Every frame vector of a folder and those below it.
std::vector<Case> vector_cases(const std::string& folder);
/// The layout of that number: a corpus model or a random one, whole or damaged. Depends on seed and number
/// alone. Nothing when the recipe cannot be built.
std::optional<Case> random_case(std::uint64_t seed, std::uint32_t number);

}  // namespace lockline::conformance
