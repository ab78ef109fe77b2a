#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "corpus/mutators.hpp"
#include "harness/check.hpp"
#include "tests/support/mutation.hpp"

/// How often the crash and corrupt rules are right. Recall: of the rules that must fire, those that do.
/// Precision: of those that fire, those that must or may. LOCKLINE_MUTATIONS sets the number of mutations
/// (default 2000), LOCKLINE_SEED the seed.
namespace lockline::harness {
namespace {

struct Score {
  std::uint64_t must = 0, found = 0, fired = 0, right = 0;
  std::set<std::string> wrong;  ///< "mutator: rule", a few

  double recall() const { return must == 0 ? 1 : static_cast<double>(found) / static_cast<double>(must); }
  double precision() const {
    return fired == 0 ? 1 : static_cast<double>(right) / static_cast<double>(fired);
  }
};

/// Rules that fired as crash or corrupt.
std::set<std::string_view> serious(const std::vector<Finding>& findings) {
  std::set<std::string_view> out;
  for (const Finding& f : findings)
    if (f.severity >= Severity::corrupt) out.insert(f.rule);
  return out;
}

void score(const std::set<std::string_view>& fired, const std::set<std::string_view>& must,
           const std::set<std::string_view>& may, const std::string& who, Score& s) {
  for (const std::string_view rule : must) {
    ++s.must;
    if (fired.contains(rule))
      ++s.found;
    else
      s.wrong.insert(fmt::format("{}: {} missing", who, rule));
  }
  for (const std::string_view rule : fired) {
    ++s.fired;
    if (must.contains(rule) || may.contains(rule))
      ++s.right;
    else
      s.wrong.insert(fmt::format("{}: {} unexpected", who, rule));
  }
}

void report(const char* what, std::uint64_t cases, const Score& s) {
  fmt::print("{}: {} models, precision {:.4f} ({} of {}), recall {:.4f} ({} of {})\n", what, cases,
             s.precision(), s.right, s.fired, s.recall(), s.found, s.must);
  for (const std::string& wrong : s.wrong) ADD_FAILURE() << wrong;
}

std::vector<corpus::Recipe> clean_recipes() {
  std::vector<corpus::Recipe> out;
  for (const corpus::Recipe& recipe : corpus::bundled())
    if (recipe.body && recipe.breaks.empty() && recipe.expected.empty() &&
        recipe.description.ends_with("clean"))
      out.push_back(recipe);
  return out;
}

TEST(Precision, OfTheCorpus) {
  Score s;
  std::uint64_t cases = 0;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    const auto bytes = corpus::build_bytes(recipe).value();
    std::optional<Block> donor, pair;
    const auto partner = [](const std::string& name) -> std::optional<Block> {
      if (name.empty()) return std::nullopt;
      return parse_block(corpus::build_bytes(corpus::find(name).value()).value()).value();
    };
    donor = partner(recipe.donor);
    pair = partner(recipe.pair);
    const auto result =
        Checker(CheckOptions{})
            .check(bytes, {.donor = donor ? &*donor : nullptr, .pair = pair ? &*pair : nullptr})
            .value();
    std::set<std::string_view> must;
    for (const corpus::ExpectedFinding& e : recipe.expected)
      if (e.severity == "crash" || e.severity == "corrupt") must.insert(find_rule(e.rule)->id);
    score(serious(result.findings), must, {}, recipe.name, s);
    ++cases;
  }
  report("corpus", cases, s);
}

TEST(Precision, OfSeededMutations) {
  const std::uint64_t wanted = tests::from_environment("LOCKLINE_MUTATIONS", 2000),
                      seed = tests::from_environment("LOCKLINE_SEED", 1);
  fmt::print("seed {}\n", seed);
  SplitMix64 random(seed);
  const auto recipes = clean_recipes();
  ASSERT_FALSE(recipes.empty());
  CheckOptions options;
  options.poses.random_poses = 3;
  Checker checker(options);
  Score s;
  std::map<std::string_view, std::uint64_t> used;
  for (std::uint64_t done = 0, tries = 0; done < wanted && tries < 20 * wanted; ++tries) {
    corpus::Recipe recipe = recipes[random.below(static_cast<std::uint32_t>(recipes.size()))];
    const auto table = corpus::mutators();
    const corpus::Mutator& mutator = table[random.below(static_cast<std::uint32_t>(table.size()))];
    recipe.seed = random.next() >> 16;
    const auto block = corpus::build(recipe);
    if (!block) continue;
    const auto breaks = mutator.make(*block, random);
    if (!breaks) continue;
    recipe.breaks = *breaks;
    const auto bytes = corpus::build_bytes(recipe);
    ASSERT_TRUE(bytes) << mutator.name << " on " << recipe.name << ": " << to_string(bytes.error());
    const auto result = checker.check(*bytes);
    ASSERT_TRUE(result) << mutator.name << " on " << recipe.name << ": " << to_string(result.error());
    score(serious(result->findings), {mutator.breaks.begin(), mutator.breaks.end()},
          {mutator.may_break.begin(), mutator.may_break.end()},
          std::string(mutator.name) + " on " + recipe.name, s);
    ++used[mutator.name];
    ++done;
  }
  report("mutations", wanted, s);
  for (const corpus::Mutator& mutator : corpus::mutators())
    EXPECT_GT(used[mutator.name], wanted / 100) << mutator.name;
}

/// What the builder makes is clean, whatever the seed.
TEST(Precision, SeededLayoutsAreClean) {
  const std::uint64_t wanted = tests::from_environment("LOCKLINE_MUTATIONS", 2000),
                      seed = tests::from_environment("LOCKLINE_SEED", 2);
  SplitMix64 random(seed);
  auto recipes = clean_recipes();
  std::erase_if(recipes, [](const corpus::Recipe& r) {
    return r.name == "luigi-shape" || r.name == "mario-shape" || r.name == "memclr-past-end";
  });
  CheckOptions options;
  options.poses.random_poses = 2;
  Checker checker(options);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    corpus::Recipe recipe = recipes[random.below(static_cast<std::uint32_t>(recipes.size()))];
    recipe.seed = random.next() >> 16;
    const auto bytes = corpus::build_bytes(recipe);
    if (!bytes) continue;
    const auto result = checker.check(*bytes).value();
    for (const Finding& f : result.findings)
      ASSERT_LE(f.severity, Severity::note) << recipe.name << " seed " << recipe.seed << ": " << f.rule << " "
                                            << f.structure << ": " << f.cause;
  }
}

}  // namespace
}  // namespace lockline::harness
