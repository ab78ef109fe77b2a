#include "corpus/bundled.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockline::corpus {

std::optional<std::string_view> bundled_source(std::string_view name) {
  const auto& sources = bundled_sources();
  const auto found = std::find_if(sources.begin(), sources.end(),
                                  [&](const BundledSource& source) { return source.name == name; });
  if (found == sources.end()) return std::nullopt;
  return found->json;
}

std::vector<Recipe> bundled() {
  std::vector<Recipe> recipes;
  for (const BundledSource& source : bundled_sources())
    if (auto recipe = read_recipe(source.json)) recipes.push_back(std::move(*recipe));
  return recipes;
}

Expected<Recipe> find(std::string_view name) {
  if (const auto source = bundled_source(name)) return read_recipe(*source);
  return tl::unexpected(
      Error{ErrorCode::missing, 0, "corpus", fmt::format("no bundled recipe is named {}", name)});
}

}  // namespace lockline::corpus
