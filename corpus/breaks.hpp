#pragma once

#include <span>
#include <string_view>

#include "corpus/recipe.hpp"
#include "formats/block.hpp"

/// Defects put into a finished block, by name. Each does one thing that a patching tool got wrong once, or
/// could.
namespace lockline::corpus {

/// A row of the table of breaks.
struct Break {
  std::string_view name;
  std::string_view description;  ///< what it does and its JSON parameters
  tl::expected<void, Error> (*apply)(Block& block, const nlohmann::json& parameters);
};

std::span<const Break> breaks();

/// A number the "set" break can change: which one, and what "at" and "element" choose (empty: nothing).
struct BreakField {
  std::string_view name;
  std::string_view at;
  std::string_view element;
};

std::vector<BreakField> break_fields();

/// Runs one break. Errors: missing when the table or the block has no such thing; bad_value for wrong
/// parameters.
tl::expected<void, Error> apply_break(Block& block, const BreakRecipe& row);

}  // namespace lockline::corpus
