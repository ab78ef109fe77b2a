#pragma once

#include <nlohmann/json.hpp>
#include <set>

#include "corpus/recipe.hpp"
#include "harness/oracles.hpp"

namespace lockline::cli {

/// Where cases come from.
struct FuzzSource {
  std::optional<corpus::Recipe> recipe;  ///< a bundled model to vary
  std::vector<std::uint8_t> donor;       ///< or a block to damage
  std::set<std::string> mutators;        ///< allowed ones; empty: all
  std::string command;                   ///< a patcher under test, with {in} and {out}; empty: none
  std::string scratch;                   ///< folder for its files
};

/// One case: a model and how it was made.
struct FuzzCase {
  std::uint64_t number = 0;
  nlohmann::json recipe;            ///< null for a donor's
  std::vector<std::uint8_t> bytes;  ///< empty: the builder refused
};

/// The same for a seed and a number, whoever makes it.
FuzzCase make_case(const FuzzSource& source, std::uint64_t seed, std::uint64_t number);

/// All oracles' opinion on a case: harness::Oracles, the exact weighted skinning ("exact"), and the command
/// ("command").
Expected<harness::Judgement> judge_case(const FuzzSource& source, const FuzzCase& c, std::size_t thread,
                                        harness::Oracles& oracles, const harness::CheckOptions& options);

/// A smaller case with the same disagreement, tried at most `tries` times. A donor's case stays as it is.
FuzzCase reduce(const FuzzSource& source, FuzzCase c, const harness::Disagreement& find, std::size_t tries,
                harness::Oracles& oracles, const harness::CheckOptions& options);

}  // namespace lockline::cli
