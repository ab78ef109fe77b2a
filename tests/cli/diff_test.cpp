#include <gtest/gtest.h>

#include "tests/cli/json_schema.hpp"
#include "tests/cli/program.hpp"

namespace lockline::tests {
namespace {

class Diff : public testing::Test {
 protected:
  Outcome diff(const std::string& arguments) { return lockline(folder_, "diff " + arguments); }
  std::string model(const std::string& recipe) { return build(folder_, recipe); }

  Folder folder_;
};

TEST_F(Diff, AModelAgainstItselfExitsWithZero) {
  const std::string file = model("plain-body");
  const Outcome outcome = diff(file + " " + file);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find(": no difference (9 poses, 18 frames)\n  92 vertices matched by slot\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Diff, MovedVerticesAreNamedByEntryAndBone) {
  const Outcome outcome = diff(model("luigi-shape") + " " + model("luigi-repacked"));
  EXPECT_EQ(outcome.code, 1);
  for (const char* part :
       {": 14 of 2678 vertices moved, ", "\nby entry\n  SK2[39]     12 of 12 moved; at most ", "\nby bone\n",
        "\nfindings that only the patched model has\n\ncorrupt  skn.mirror"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nin\n" << outcome.out;
}

TEST_F(Diff, AFaultIsReportedWithDolphinsLine) {
  const Outcome outcome = diff(model("plain-body") + " " + model("sk1-one-odd"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(
      outcome.out.find("the patched model stops in frame 0 (pose \"rest\"): SK1[1] after 21161 vertices"),
      std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("  Dolphin    Invalid read from 0xe0040000, PC = 0x80523ec4\n"),
            std::string::npos);
}

TEST_F(Diff, JsonFollowsItsSchema) {
  const JsonSchema schema(nlohmann::json::parse(text_of(LOCKLINE_SCHEMAS "/diff-1.schema.json")));
  const std::string donor = model("plain-body");
  for (const char* recipe :
       {"plain-body", "luigi-repacked", "sk1-one-odd", "writeback-colour-header", "shared-line"}) {
    const Outcome outcome = diff("--format json " + donor + " " + model(recipe));
    const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(report.is_discarded()) << outcome.out;
    EXPECT_EQ(schema.problem(report), "") << recipe;
    EXPECT_EQ(report["differs"], outcome.code == 1) << recipe;
  }
  const auto luigi = nlohmann::json::parse(
      diff("--format json " + model("luigi-shape") + " " + model("luigi-repacked")).out, nullptr, false);
  EXPECT_EQ(schema.problem(luigi), "");
  EXPECT_EQ(luigi["counts"]["moved"], 14);
  EXPECT_EQ(luigi["vertices"].size(), 14U);
}

TEST_F(Diff, WritesASelection) {
  const std::string file = folder_ / "moved.tsv";
  const Outcome outcome =
      diff(model("luigi-shape") + " " + model("luigi-repacked") + " --select '" + file + "'");
  EXPECT_EQ(outcome.code, 1);
  const std::string text = text_of(file);
  EXPECT_EQ(text.rfind("slot\tobject vertex\tdistance\n2582\t2582\t0.", 0), 0U) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 15);
}

TEST_F(Diff, RefusesToOverwriteAnInput) {
  const std::string donor = model("plain-body"), patched = model("shared-line");
  const std::string palette = LOCKLINE_VECTORS "/frames/shared_line.palette";
  std::filesystem::copy_file(palette, folder_ / "a.palette");
  const std::string before = text_of(donor), after = text_of(patched);
  std::filesystem::create_symlink(donor, folder_ / "link");
  for (const std::string& target : {donor, patched, folder_ / "a.palette", folder_ / "link"}) {
    const Outcome outcome = diff(donor + " " + patched + " --palette '" + (folder_ / "a.palette") +
                                 "' --select '" + target + "'");
    EXPECT_EQ(outcome.code, 2) << target;
    EXPECT_EQ(outcome.err,
              "lockline: " + target + ": is an input of this command and would be overwritten\n");
  }
  EXPECT_EQ(text_of(donor), before);
  EXPECT_EQ(text_of(patched), after);
  EXPECT_EQ(text_of(folder_ / "a.palette"), text_of(palette));
}

TEST_F(Diff, UnusableInputAndWrongUsageExitWithTwo) {
  const std::string good = model("plain-body");
  write_text(folder_ / "bad.block", "no block");
  for (const std::string& arguments :
       {std::string(), good, good + " missing.block", "missing.block " + good,
        good + " " + (folder_ / "bad.block"), good + " " + good + " --nonsense",
        good + " " + good + " --palette nowhere", good + " " + good + " --address 0x123",
        good + " " + good + " --select '" + (folder_ / "no/such/folder") + "'"}) {
    const Outcome outcome = diff(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.err.rfind("lockline: ", 0), 0U) << outcome.err;
  }
}

}  // namespace
}  // namespace lockline::tests
