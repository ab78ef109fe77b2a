#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "corpus/recipe.hpp"

/// The recipes compiled into the program (corpus/recipes/*.json), so that they are there wherever it runs.
namespace lockline::corpus {

/// One recipe file: its name (without ".json") and its text.
struct BundledSource {
  std::string_view name;
  std::string_view json;
};

/// All of them, ascending by name.
const std::vector<BundledSource>& bundled_sources();

/// The text of one recipe.
std::optional<std::string_view> bundled_source(std::string_view name);

/// All recipes, ascending by name. One that cannot be read is left out; a test makes sure there is none.
std::vector<Recipe> bundled();

/// One recipe by name. Errors: missing, and those of read_recipe().
Expected<Recipe> find(std::string_view name);

}  // namespace lockline::corpus
