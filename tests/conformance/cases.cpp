#include "tests/conformance/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "tests/conformance/damage.hpp"
#include "tests/conformance/palettes.hpp"

namespace lockline::conformance {
namespace {

/// One matrix for each bone that an entry names, so that every case has a defined result.
std::uint32_t bones_of(const Skn& skn) {
  std::uint32_t last = 0;
  for (const Sk1Entry& e : skn.sk1) last = std::max<std::uint32_t>(last, e.bone);
  for (const Sk2Entry& e : skn.sk2) last = std::max<std::uint32_t>({last, e.bone1, e.bone2});
  for (const SkAccEntry& e : skn.acc) last = std::max<std::uint32_t>(last, e.bone);
  return std::min(last, 1023U) + 1;
}

std::optional<Case> case_of(std::string name, Buffer bytes, SplitMix64& random, std::uint32_t frames) {
  const auto block = parse_block(bytes);
  if (!block || !block->skn) return std::nullopt;
  const Palette palette = random_palette(random, bones_of(*block->skn), frames);
  return Case{std::move(name), std::move(bytes), serialize(palette)};
}

corpus::GroupRecipe random_group(SplitMix64& random, std::uint32_t bones) {
  corpus::GroupRecipe group;
  const std::uint32_t named = 1 + random.below(std::min(4U, bones));
  while (group.bones.size() < named) {
    const auto bone = static_cast<std::uint16_t>(random.below(bones));
    if (std::find(group.bones.begin(), group.bones.end(), bone) == group.bones.end())
      group.bones.push_back(bone);
  }
  group.count = 3 + random.below(random.below(4) == 0 ? 900 : 60);
  group.extent = 1 + static_cast<std::int32_t>(random.below(32767));
  return group;
}

corpus::Recipe random_recipe(SplitMix64& random) {
  corpus::Recipe recipe;
  recipe.name = "random";
  recipe.seed = random.next();
  recipe.skeleton.bones = static_cast<std::uint16_t>(1 + random.below(24));
  recipe.body.emplace();
  for (std::uint32_t groups = 1 + random.below(12); groups != 0; --groups)
    recipe.body->groups.push_back(random_group(random, recipe.skeleton.bones));
  recipe.body->shift = static_cast<std::uint8_t>(random.below(16));
  recipe.canonical = random.below(2) == 0;
  recipe.submeshes.resize(random.below(3));
  return recipe;
}

/// Half of them bundled recipes with another geometry.
corpus::Recipe random_base(SplitMix64& random) {
  if (random.below(2) == 0) return random_recipe(random);
  static const std::vector<corpus::Recipe> recipes = corpus::bundled();
  corpus::Recipe recipe = recipes[random.below(static_cast<std::uint32_t>(recipes.size()))];
  recipe.seed = random.next();
  return recipe;
}

}  // namespace

std::optional<Case> next_case(ChunkReader& file) {
  const auto name = file.next(), block = file.next(), palette = file.next();
  if (!name || !block || !palette) return std::nullopt;
  return Case{std::string(name->begin(), name->end()), Buffer(block->begin(), block->end()),
              Buffer(palette->begin(), palette->end())};
}

void put_case(Buffer& file, const Case& c) {
  put_chunk(file, c.name);
  put_chunk(file, c.block);
  put_chunk(file, c.palette);
}

std::vector<Case> corpus_cases(std::uint64_t seed) {
  std::vector<Case> cases;
  SplitMix64 random(seed);
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    auto bytes = corpus::build_bytes(recipe);
    if (!bytes) continue;
    if (auto made = case_of("corpus/" + recipe.name, std::move(*bytes), random, 3))
      cases.push_back(std::move(*made));
  }
  return cases;
}

std::vector<Case> vector_cases(const std::string& folder) {
  std::vector<Case> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".block") continue;
    const std::string name = "vectors/" + path.stem().string();
    Buffer block = read_file(path.string());
    cases.push_back({name, std::move(block), read_file(path.replace_extension(".palette").string())});
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

std::optional<Case> random_case(std::uint64_t seed, std::uint32_t number) {
  SplitMix64 random(seed * 0x10001 + number);
  random.next();
  auto bytes = corpus::build_bytes(random_base(random));
  if (!bytes) return std::nullopt;
  const std::uint32_t hits = random.below(6);
  for (std::uint32_t i = 1; i < hits; ++i) damage(*bytes, random);
  return case_of(fmt::format("random/{}", number), std::move(*bytes), random, 1 + random.below(3));
}

}  // namespace lockline::conformance
