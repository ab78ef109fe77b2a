#include <gtest/gtest.h>

#include "harness/check.hpp"
#include "tests/support/mutation.hpp"

/// Damaged models: any outcome but a crash, a hang or a different answer the second time.
/// LOCKLINE_CHECK_MUTATIONS sets the number of cases (default 2000), LOCKLINE_SEED the seed.
namespace lockline::harness {
namespace {

/// Everything a report says, to compare two.
std::string digest(const Expected<CheckReport>& report) {
  if (!report) return to_string(report.error());
  std::string out = std::to_string(report->frames) + report->not_emulated;
  for (const Finding& f : report->findings)
    out += std::string(f.rule) + f.structure + f.cause + f.fix + f.dolphin_line.value_or("");
  return out;
}

TEST(Check, SurvivesDamagedModelsAndAnswersTwiceTheSame) {
  const std::uint64_t cases = tests::from_environment("LOCKLINE_CHECK_MUTATIONS", 2000),
                      seed = tests::from_environment("LOCKLINE_SEED", 1);
  RecordProperty("seed", std::to_string(seed));
  SplitMix64 random(seed);
  const auto models = tests::small_models();
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
