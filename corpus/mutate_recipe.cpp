#include "corpus/mutate_recipe.hpp"

#include <algorithm>
#include <array>

#include "corpus/builder.hpp"
#include "corpus/mutators.hpp"

namespace lockline::corpus {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 7> names{"groups", "weights",  "rules", "scratch",
                                                "shift",  "skeleton", "layout"};
constexpr std::uint32_t largest_group = 700;

Json group_json(const GroupRecipe& g) {
  Json out{
      {"bones", g.bones}, {"count", g.count}, {"extent", g.extent}, {"drawn", g.drawn}, {"stored", g.stored}};
  if (!g.weights.empty()) out["weights"] = g.weights;
  for (const auto& [name, value] :
       {std::pair("accumulated", g.accumulated), std::pair("unwritten", g.unwritten)})
    if (value) out[name] = true;
  if (g.hole != 0) out["hole"] = g.hole;
  return out;
}

std::uint32_t some_count(SplitMix64& random) {
  return random.below(4) == 0 ? 1 + random.below(largest_group) : 1 + random.below(40);
}

void change_groups(const Recipe& base, Json& recipe, SplitMix64& random) {
  Json& groups = recipe["body"]["groups"];
  Json& group = groups[random.below(static_cast<std::uint32_t>(groups.size()))];
  switch (random.below(6)) {
    case 0:
      group["count"] = some_count(random);
      break;
    case 1:  // other bones
      for (Json& bone : group["bones"]) bone = random.below(base.skeleton.bones);
      break;
    case 2: {  // split
      const std::uint32_t count = group["count"], first = count < 2 ? count : 1 + random.below(count - 1);
      Json rest = group;
      rest["count"] = count - first;
      group["count"] = first;
      if (count > first) groups.push_back(rest);
      break;
    }
    case 3: {  // one more, of one to four bones
      Json fresh{{"bones", Json::array()}, {"count", some_count(random)}};
      for (std::uint32_t i = 0, n = 1 + random.below(4); i < n; ++i)
        fresh["bones"].push_back(random.below(base.skeleton.bones));
      groups.push_back(fresh);
      break;
    }
    case 4:
      if (groups.size() > 1) groups.erase(random.below(static_cast<std::uint32_t>(groups.size())));
      break;
    default:  // another order
      std::rotate(groups.begin(), groups.begin() + random.below(static_cast<std::uint32_t>(groups.size())),
                  groups.end());
  }
}

void change_weights(Json& recipe, SplitMix64& random) {
  Json& groups = recipe["body"]["groups"];
  Json& group = groups[random.below(static_cast<std::uint32_t>(groups.size()))];
  std::int32_t left = 256;
  Json weights = Json::array();
  const std::size_t bones = group["bones"].size();
  for (std::size_t i = 0; i + 1 < bones; ++i) {
    const std::int32_t weight =
        left > 2 ? 1 + static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(left - 1))) : 0;
    weights.push_back(weight);
    left -= weight;
  }
  weights.push_back(left);
  group["weights"] = weights;
}

void change_rules(Json& recipe, SplitMix64& random) {
  Json& rules = recipe["rules"];
  switch (random.below(7)) {
    case 0:
      rules["sk1_bytes"] = 100 + random.below(9000);
      break;
    case 1:
      rules["sk2_bytes"] = 100 + random.below(9000);
      break;
    case 2:
      rules["acc_vertices"] = 1 + random.below(400);
      break;
    case 3:
      rules["minimum"] = 1 + random.below(3);
      break;
    case 4:
      rules["own_lines"] = false;
      break;
    case 5:
      rules["source_gap"] = 32 * random.below(5);
      break;
    default:
      rules["array_gap"] = 4 * random.below(20);
  }
}

/// What the builder makes of a recipe without breaks, for mutators that look for something to break.
std::optional<Block> built(const Json& recipe) {
  const auto read = read_recipe(recipe.dump());
  if (!read) return std::nullopt;
  auto block = build(*read);
  if (!block) return std::nullopt;
  return std::move(*block);
}

void add_break(Json& recipe, const std::set<std::string>& allowed, SplitMix64& random) {
  const auto table = mutators();
  const Mutator& mutator = table[random.below(static_cast<std::uint32_t>(table.size()))];
  if (!allowed.empty() && !allowed.contains(std::string(mutator.name))) return;
  const auto block = built(recipe);
  const auto made = block ? mutator.make(*block, random) : std::nullopt;
  if (!made) return;
  for (const BreakRecipe& row : *made) {
    Json entry = row.parameters;
    entry["break"] = row.name;
    recipe["breaks"].push_back(entry);
  }
}

}  // namespace

std::span<const std::string_view> recipe_mutators() {
  return names;
}

Json mutate_recipe(const Recipe& base, const std::set<std::string>& allowed, SplitMix64& random) {
  Json recipe{{"name", "fuzz"},
              {"description", "made by lockline fuzz"},
              {"base", base.name},
              {"seed", random.next() >> 16}};
  if (base.body) {
    for (const GroupRecipe& g : base.body->groups) recipe["body"]["groups"].push_back(group_json(g));
    for (std::uint32_t i = 0, n = random.below(4); i < n; ++i) {
      const std::string name(names[random.below(names.size())]);
      if (!allowed.empty() && !allowed.contains(name)) continue;
      if (name == "groups") change_groups(base, recipe, random);
      if (name == "weights") change_weights(recipe, random);
      if (name == "rules") change_rules(recipe, random);
      if (name == "scratch") recipe["body"].update({{"reserve", false}, {"scratch", 4 * random.below(40)}});
      if (name == "shift") recipe["body"]["shift"] = random.below(15);
      if (name == "skeleton") recipe["skeleton"]["bones"] = 1 + random.below(255);
      if (name == "layout") recipe["layout"] = random.below(2) == 0 ? "canonical" : "vanilla";
    }
  }
  if (random.below(2) == 0) add_break(recipe, allowed, random);
  return recipe;
}

std::vector<Json> smaller_recipes(const Json& recipe) {
  std::vector<Json> out;
  const auto without = [&](const Json::json_pointer& list) {
    if (!recipe.contains(list) || !recipe[list].is_array()) return;
    for (std::size_t i = 0; i < recipe[list].size(); ++i) {
      Json smaller = recipe;
      smaller[list].erase(i);
      out.push_back(std::move(smaller));
    }
  };
  if (!recipe.contains("submeshes")) {
    out.push_back(recipe);
    out.back().update({{"submeshes", Json::array()}, {"facial", {{"objects", Json::array()}}}});
  }
  without(Json::json_pointer("/body/groups"));
  without(Json::json_pointer("/breaks"));
  const Json::json_pointer groups("/body/groups");
  for (std::size_t i = 0; recipe.contains(groups) && i < recipe[groups].size(); ++i) {
    const std::uint32_t count = recipe[groups][i]["count"];
    if (count < 2) continue;
    out.push_back(recipe);
    out.back()[groups][i]["count"] = count / 2;
  }
  for (const char* key : {"rules", "skeleton", "layout"}) {
    if (!recipe.contains(key)) continue;
    out.push_back(recipe);
    out.back().erase(key);
  }
  return out;
}

}  // namespace lockline::corpus
