#include <gtest/gtest.h>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/check.hpp"

/// "Vanilla never does this" and "this is what happens", both shown. Cases from the issue and rules.md.
namespace lockline::harness {
namespace {

CheckReport report_on(const char* recipe, std::uint32_t random_poses = 8) {
  CheckOptions options;
  options.poses.random_poses = random_poses;
  return check(corpus::build_bytes(corpus::find(recipe).value()).value(), options).value();
}

const Finding& finding(const CheckReport& report, std::string_view rule, std::string_view structure = "") {
  for (const Finding& f : report.findings)
    if (f.rule == rule && (structure.empty() || f.structure == structure)) return f;
  throw std::runtime_error("no finding of " + std::string(rule));
}

struct Case {
  const char* recipe;
  const char* rule;
  Severity severity;
  Agreement agreement;
  const char* says;
};

class Opinions : public testing::TestWithParam<Case> {};

TEST_P(Opinions, AreBothThere) {
  const Case& c = GetParam();
  const CheckReport report = report_on(c.recipe);
  const Finding& f = finding(report, c.rule);
  EXPECT_EQ(f.severity, c.severity);
  ASSERT_TRUE(f.opinion.has_value());
  EXPECT_EQ(name(f.opinion->agreement), name(c.agreement));
  EXPECT_NE(f.opinion->text.find(c.says), std::string::npos) << f.opinion->text;
}

INSTANTIATE_TEST_SUITE_P(
    Harness, Opinions,
    testing::Values(
        Case{"sk1-8184", "skn.size.sk1", Severity::risk, Agreement::clean, "18 frames of 9 poses"},
        Case{"sk1-two", "skn.count.min", Severity::risk, Agreement::clean, "18 frames of 9 poses"},
        Case{"sk2-over", "skn.size.sk2", Severity::corrupt, Agreement::confirmed, "run.stale"},
        Case{"sk2-over", "run.stale", Severity::corrupt, Agreement::foreseen, "skn.size.sk2"},
        Case{"sk1-one-odd", "skn.count.min", Severity::crash, Agreement::confirmed,
             "run.fault, first in frame 0"},
        Case{"sk1-one-odd", "run.fault", Severity::crash, Agreement::foreseen, "skn.count.min"},
        Case{"sk1-over-odd", "skn.size.sk1", Severity::risk, Agreement::clean, "runs cleanly"},
        Case{"mirror-late-face", "skn.mirror", Severity::risk, Agreement::clean, "runs cleanly"},
        Case{"luigi-repacked", "face.mirror", Severity::corrupt, Agreement::confirmed, "SKN / SK2[39]"},
        Case{"quant-mismatch", "skn.shift", Severity::corrupt, Agreement::confirmed, "run.stale"},
        Case{"flush-missing", "skn.flush", Severity::risk, Agreement::not_shown, "data cache"},
        Case{"memclr-missing", "run.drift", Severity::corrupt, Agreement::foreseen, "skn.memclr.range"}));

TEST(Opinion, ConsoleShowsWhatDolphinDoesNot) {
  CheckOptions options;
  options.machine.profile = &emu::console;
  const auto bytes = corpus::build_bytes(corpus::find("sk1-over-odd").value()).value();
  const CheckReport report = check(bytes, options).value();
  EXPECT_EQ(finding(report, "skn.size.sk1").opinion->agreement, Agreement::confirmed);
  EXPECT_EQ(finding(report, "skn.size.sk1").severity, Severity::corrupt);
}

TEST(Opinion, TheBindPoseAloneSoftensNothing) {
  const CheckReport report = report_on("mirror-late-face", 0);
  EXPECT_EQ(report.poses, 1U);
  EXPECT_EQ(finding(report, "skn.mirror").opinion->agreement, Agreement::clean);
  EXPECT_EQ(finding(report, "skn.mirror").severity, Severity::corrupt);
}

TEST(Opinion, WhatLiesBehindAFaultIsNotReached) {
  auto recipe = corpus::find("sk1-one-odd").value();
  recipe.breaks.push_back({"set", {{"field", "skn.quantize_info"}, {"value", 10}}});
  const CheckReport report = check(corpus::build_bytes(recipe).value(), CheckOptions{}).value();
  const Finding& f = finding(report, "skn.shift");
  EXPECT_EQ(f.opinion->agreement, Agreement::not_reached);
  EXPECT_NE(f.opinion->text.find("SKN / SK1[1]"), std::string::npos) << f.opinion->text;
}

TEST(Opinion, NotesHaveNone) {
  for (const Finding& f : report_on("order-swapped").findings)
    EXPECT_EQ(f.opinion.has_value(), f.severity != Severity::note) << f.rule;
}

TEST(Opinion, SplitsLeaveThreeVerticesOnBothSides) {
  // 682 vertices: the last line boundary leaves 2, the one before 10.
  EXPECT_EQ(finding(report_on("sk1-8184"), "skn.size.sk1").fix,
            "split SK1[0] after vertex 671: the second part (10 vertices) starts at the line +0x1f80");
}

}  // namespace
}  // namespace lockline::harness
