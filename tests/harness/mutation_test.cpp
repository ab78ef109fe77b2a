#include <gtest/gtest.h>

#include <cstdlib>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "formats/random.hpp"
#include "harness/check.hpp"
#include "tests/support/mutate.hpp"

/// Damaged models: any outcome but a crash, a hang or a different answer the second time.
/// LOCKLINE_CHECK_MUTATIONS sets the number of cases (default 2000), LOCKLINE_SEED the seed.
namespace lockline::harness {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::vector<std::vector<std::uint8_t>> seeds() {
  std::vector<std::vector<std::uint8_t>> out;
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    auto bytes = corpus::build_bytes(recipe);
    if (bytes && bytes->size() < 16 * 1024) out.push_back(std::move(*bytes));
  }
  return out;
}

/// Everything a report says, to compare two.
std::string digest(const Expected<CheckReport>& report) {
  if (!report) return to_string(report.error());
  std::string out = std::to_string(report->frames) + report->not_emulated;
  for (const Finding& f : report->findings)
    out += std::string(f.rule) + f.structure + f.cause + f.fix + f.dolphin_line.value_or("");
  return out;
}

TEST(Check, SurvivesDamagedModelsAndAnswersTwiceTheSame) {
  const std::uint64_t cases = from_environment("LOCKLINE_CHECK_MUTATIONS", 2000),
                      seed = from_environment("LOCKLINE_SEED", 1);
  RecordProperty("seed", std::to_string(seed));
  SplitMix64 random(seed);
  const auto models = seeds();
  ASSERT_FALSE(models.empty());
  CheckOptions options;
  options.poses.random_poses = 1;
  Checker checker(options);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto bytes = tests::mutate(models[random.below(static_cast<std::uint32_t>(models.size()))], random);
    const auto first = checker.check(bytes);
    if (i % 16 == 0) {
      ASSERT_EQ(digest(first), digest(check(bytes, options))) << "seed " << seed << " case " << i;
    }
  }
}

}  // namespace
}  // namespace lockline::harness
