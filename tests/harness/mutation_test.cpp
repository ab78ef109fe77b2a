#include <gtest/gtest.h>

#include "corpus/animation.hpp"
#include "harness/check.hpp"
#include "tests/support/mutation.hpp"

/// Damaged models: any outcome but a crash, a hang or a different answer the second time.
/// LOCKLINE_CHECK_MUTATIONS sets the number of cases (default 700), LOCKLINE_SEED the seed.
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
  const std::uint64_t cases = tests::from_environment("LOCKLINE_CHECK_MUTATIONS", 700),
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

/// A model and its bank; each is damaged in half of the cases.
TEST(Check, SurvivesDamagedAnimationsAndBones) {
  const std::uint64_t cases = tests::from_environment("LOCKLINE_CHECK_MUTATIONS", 700),
                      seed = tests::from_environment("LOCKLINE_SEED", 2);
  RecordProperty("seed", std::to_string(seed));
  SplitMix64 random(seed);
  const corpus::Recipe recipe = corpus::find("face-body").value();
  const auto model = corpus::build_bytes(recipe).value();
  const auto bank = serialize(corpus::build_animation(recipe));
  const auto faces = parse_face_script("*=0.5*1+2*2").value();
  std::size_t played = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto bytes = random.below(2) == 0 ? tests::mutate(model, random) : model;
    auto anm = parse_anm(random.below(2) == 0 ? tests::mutate(bank, random) : bank);
    if (!anm || anm->sequences.empty()) continue;
    CheckOptions options;
    options.poses.faces = faces;
    const auto sequence = random.below(static_cast<std::uint32_t>(anm->sequences.size()));
    options.poses.animation = {std::make_shared<const Anm>(std::move(*anm)), sequence, 0.75F};
    options.poses.frames = 5;
    const auto first = check(bytes, options);
    played += first && first->poses == 5 ? 1 : 0;
    if (i % 16 == 0) {
      ASSERT_EQ(digest(first), digest(check(bytes, options))) << "seed " << seed << " case " << i;
    }
  }
  EXPECT_GT(played, cases / 4);
}

}  // namespace
}  // namespace lockline::harness
