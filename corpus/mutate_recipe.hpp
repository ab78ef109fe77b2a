#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "corpus/recipe.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {

/// Names of what mutate_recipe can change beside the table in mutators.hpp: "groups" (vertices moved between
/// bones, split, merged, resized, reordered), "weights", "rules" (limits and gaps of the layout), "scratch",
/// "shift", "skeleton", "layout".
std::span<const std::string_view> recipe_mutators();

/// A recipe (JSON, amending `base`) with one to three of the allowed changes, and at most one of the allowed
/// mutators' breaks. Names that are not allowed are never used; no names: everything is allowed. The same
/// random state gives the same recipe.
nlohmann::json mutate_recipe(const Recipe& base, const std::set<std::string>& allowed, SplitMix64& random);

/// Smaller recipes to try, the boldest first: without a break, a group, a face or a rigid submesh, with half
/// of a group's vertices or half of the bones. For reducing a find.
std::vector<nlohmann::json> smaller_recipes(const nlohmann::json& recipe);

}  // namespace lockline::corpus
