#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "program.hpp"

namespace lockline::tests {
namespace {

class RepairCommand : public testing::Test {
 protected:
  Outcome repair(const std::string& model, const std::string& options = "") {
    return lockline(folder_, "repair " + model + " -o " + out_ + " " + options);
  }

  Folder folder_;
  std::string out_ = folder_ / "repaired.block";
};

TEST_F(RepairCommand, WritesACleanModel) {
  const std::string broken = build(folder_, "luigi-repacked");
  const Outcome outcome = repair(broken);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("after      clean"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("none by more than its passes' rounding"), std::string::npos) << outcome.out;
  EXPECT_EQ(lockline(folder_, "check --fail-on risk " + out_).code, 0);
}

TEST_F(RepairCommand, RefusesWithTheReasonAndWritesNothing) {
  const Outcome outcome = repair(build(folder_, "weights-under"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("cannot be repaired by a new layout: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("the weights of slot 90 sum to 226, not 256"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("check finds skn.weights (1)"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(RepairCommand, NamesWhatItFoundAndWhatItTook) {
  const Outcome odd = repair(build(folder_, "sk1-one-odd"));
  EXPECT_NE(odd.out.find("before     2 crash: skn.count.min (1), run.fault (1)"), std::string::npos)
      << odd.out;
  const Outcome shift = repair(build(folder_, "quant-mismatch"));
  EXPECT_NE(shift.out.find("taken      SKN's shift byte "), std::string::npos) << shift.out;
}

TEST_F(RepairCommand, SaysWhatALayoutDoesNotCure) {
  const Outcome outcome = repair(build(folder_, "geo-unowned"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("crash  gpl.owned"), std::string::npos) << outcome.out;
  EXPECT_TRUE(std::filesystem::exists(out_));
}

TEST_F(RepairCommand, NeverOverwritesItsInput) {
  const std::string model = build(folder_, "sk1-one-odd");
  const std::string before = text_of(model);
  EXPECT_EQ(lockline(folder_, "repair " + model + " -o " + model).code, 2);
  EXPECT_EQ(text_of(model), before);
}

TEST_F(RepairCommand, JsonFollowsItsSchema) {
  const JsonSchema schema(nlohmann::json::parse(text_of(LOCKLINE_SCHEMAS "/repair-1.schema.json")));
  const Outcome outcome = repair(build(folder_, "sk1-one-odd"), "--format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  EXPECT_EQ(schema.problem(report), "");
  EXPECT_EQ(report["proved"], true);
  EXPECT_EQ(report["before"].size(), 2U);
  EXPECT_EQ(report["after"].size(), 0U);
}

TEST_F(RepairCommand, UnusableInput) {
  write_text(folder_ / "text", "no block");
  EXPECT_EQ(repair(folder_ / "text").code, 2);
  EXPECT_EQ(repair(folder_ / "nowhere").code, 2);
  EXPECT_EQ(lockline(folder_, "repair " + build(folder_, "plain-body")).code, 2) << "no -o";
}

}  // namespace
}  // namespace lockline::tests
