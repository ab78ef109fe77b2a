#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/recipe.hpp"
#include "formats/block.hpp"
#include "formats/random.hpp"

/// Seeded mistakes of a patching tool, each with the rules it breaks.
namespace lockline::corpus {

/// A row of the table. `breaks` are rules that a model so changed must be found to break, `may_break` those
/// that can follow from it, depending on the model; both are stated from rules.md and runtime.md, not from
/// what the checker says.
struct Mutator {
  std::string_view name;
  std::string_view description;
  std::vector<std::string_view> breaks, may_break;
  /// The breaks that do it to this model (they can go into a recipe); nullopt when the model has nothing to
  /// do it to.
  std::optional<std::vector<BreakRecipe>> (*make)(const Block& block, SplitMix64& random);
};

std::span<const Mutator> mutators();

}  // namespace lockline::corpus
