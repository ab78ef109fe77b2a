#include <gtest/gtest.h>

#include "tests/cli/json_schema.hpp"
#include "tests/cli/program.hpp"

namespace lockline::tests {
namespace {

class Check : public testing::Test {
 protected:
  Outcome check(const std::string& arguments, const std::string& prefix = "") {
    return lockline(folder_, "check " + arguments, prefix);
  }

  Folder folder_;
};

TEST_F(Check, ACleanModelExitsWithZero) {
  const Outcome outcome = check(build(folder_, "plain-body"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("plain-body.block: clean (9 poses, 18 frames)\n"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Check, AFaultPrintsDolphinsLineAndExitsWithOne) {
  const Outcome outcome = check(build(folder_, "sk1-one-odd"));
  EXPECT_EQ(outcome.code, 1);
  for (const char* part : {"crash  skn.count.min  SKN / SK1[1]  0x8a4-0x8e4\n", "crash  run.fault",
                           "  Dolphin    Invalid read from 0xe0040000, PC = 0x80523ec4\n"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nin\n" << outcome.out;
  }
}

TEST_F(Check, TheThresholdDecides) {
  const std::string risk = build(folder_, "sk1-two");
  EXPECT_EQ(check(risk).code, 0);
  EXPECT_EQ(check("--fail-on corrupt " + risk).code, 0);
  EXPECT_EQ(check("--fail-on risk " + risk).code, 1);
  const std::string corrupt = build(folder_, "shared-line");
  EXPECT_EQ(check("--fail-on corrupt " + corrupt).code, 1);
  EXPECT_EQ(check("--fail-on crash " + corrupt).code, 0);
}

TEST_F(Check, OneBadFileLosesNothingOfTheOthers) {
  const std::string clean = build(folder_, "plain-body");
  const std::string broken = build(folder_, "sk1-one-odd");
  const std::string missing = folder_ / "missing.block";
  const Outcome outcome = check(clean + " " + missing + " " + broken);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("plain-body.block: clean"), std::string::npos);
  EXPECT_NE(outcome.out.find("sk1-one-odd.block: 2 crash"), std::string::npos);
  EXPECT_NE(outcome.out.find("\n3 files: 1 passed, 1 failed (corrupt or worse), 1 unusable\n"),
            std::string::npos);
  EXPECT_EQ(outcome.err, "lockline: " + missing + ": cannot open: No such file or directory\n");
}

TEST_F(Check, UnusableFilesAreNamedWithTheReason) {
  write_text(folder_ / "empty", "");
  write_text(folder_ / "short", "abc");
  write_text(folder_ / "text", std::string(64, 'x'));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {folder_ / "empty", "is empty"},
      {folder_ / "short", "a model block starts with a header of 32 bytes; this file has 3"},
      {folder_ / "text", "GPL"},
      {folder_ / "", "Is a directory"},
      {"/dev/zero", "is larger than 67108864 bytes"}};
  for (const auto& [file, reason] : cases) {
    const Outcome outcome = check("'" + file + "'");
    EXPECT_EQ(outcome.code, 2) << file;
    EXPECT_EQ(outcome.out, "") << file;
    EXPECT_EQ(outcome.err.rfind("lockline: " + file + ": ", 0), 0U) << outcome.err;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  }
}

TEST_F(Check, UsageErrorsExitWithTwo) {
  const std::string model = build(folder_, "plain-body");
  for (const std::string& arguments :
       {std::string(), "--nonsense " + model, "--profile wii " + model, "--fail-on never " + model,
        "--poses -1 " + model, "--address 0x123 " + model, "--address 0x81800000 " + model,
        "--palette nowhere " + model}) {
    const Outcome outcome = check(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.rfind("lockline: ", 0), 0U) << outcome.err;
  }
}

TEST_F(Check, JsonFollowsItsSchema) {
  const JsonSchema schema(nlohmann::json::parse(text_of(LOCKLINE_SCHEMAS "/check-1.schema.json")));
  const std::string files = build(folder_, "plain-body") + " " + build(folder_, "sk1-one-odd") + " " +
                            build(folder_, "shared-line") + " missing.block";
  const Outcome outcome = check("--format json " + files);
  EXPECT_EQ(outcome.code, 2);
  const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << outcome.out;
  EXPECT_EQ(schema.problem(report), "");
  ASSERT_EQ(report["files"].size(), 4U);
  EXPECT_EQ(report["files"][0]["failed"], false);
  EXPECT_EQ(report["files"][1]["counts"]["crash"], 2);
  EXPECT_EQ(report["files"][1]["findings"][1]["dolphin_line"],
            "Invalid read from 0xe0040000, PC = 0x80523ec4");
  EXPECT_EQ(report["files"][3]["error"], "cannot open: No such file or directory");
}

TEST_F(Check, PagesAreOneForEachModel) {
  const std::string broken = build(folder_, "writeback-colour-header"), pages = folder_ / "pages";
  std::filesystem::create_directories(folder_ / "other");
  const std::string twin = folder_ / "other/writeback-colour-header.block",
                    evil = folder_ / "<script>alert(1)<_script>.block";
  std::filesystem::copy_file(broken, twin);
  std::filesystem::copy_file(broken, evil);
  const Outcome outcome = check(broken + " " + twin + " '" + evil + "' missing.block --html " + pages);
  EXPECT_EQ(outcome.code, 2);
  for (const char* name : {"writeback-colour-header.block.html", "writeback-colour-header.block-2.html",
                           "<script>alert(1)<_script>.block.html", "missing.block.html"}) {
    const std::string page = text_of(pages + "/" + name);
    EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U) << name;
    EXPECT_EQ(page.find("<script>alert"), std::string::npos) << name;
    EXPECT_EQ(page.find("src="), std::string::npos) << "nothing is loaded";
  }
  const std::string one = check("--format html " + broken).out;
  EXPECT_EQ(one, check("--format html " + broken).out);
  const auto start = one.find('>', one.find("id=\"data\"")) + 1;
  const auto data =
      nlohmann::json::parse(one.substr(start, one.find("</script>", start) - start), nullptr, false);
  ASSERT_FALSE(data.is_discarded());
  EXPECT_EQ(data["frames"].size(), 18U);
  EXPECT_EQ(data["frames"][0]["overwritten"][0]["author"], "SK1[1] write-back");
  EXPECT_EQ(data["findings"].size(), 6U);
  EXPECT_EQ(check("--format html " + broken + " " + twin).code, 2);
}

TEST_F(Check, JsonSurvivesANameThatIsNotUtf8) {
  const std::string file = folder_ / "caf\xE9.block";
  std::filesystem::copy_file(build(folder_, "plain-body"), file);
  const Outcome outcome = check("--format json '" + file + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(nlohmann::json::parse(outcome.out, nullptr, false).is_discarded());
}

TEST_F(Check, ColourIsForTerminalsOnly) {
  const std::string broken = build(folder_, "sk1-one-odd");
  EXPECT_EQ(check(broken).out.find('\033'), std::string::npos);
  const auto on_terminal = [&](const std::string& variables) {
    const std::string command = "script -qec \"" + variables + " '" LOCKLINE_PROGRAM "' check " + broken +
                                "\" /dev/null >'" + (folder_ / "terminal") + "' </dev/null";
    return std::system(command.c_str()) == 127 << 8 ? std::string() : text_of(folder_ / "terminal");
  };
  const std::string coloured = on_terminal("NO_COLOR= TERM=xterm");
  if (coloured.find("skn.count.min") == std::string::npos) GTEST_SKIP() << "no script(1) here";
  EXPECT_NE(coloured.find('\033'), std::string::npos);
  EXPECT_EQ(on_terminal("NO_COLOR=1 TERM=xterm").find('\033'), std::string::npos);
  EXPECT_EQ(on_terminal("NO_COLOR= TERM=dumb").find('\033'), std::string::npos);
}

TEST_F(Check, TheSameSeedGivesTheSameReport) {
  const std::string model = build(folder_, "shared-line");
  EXPECT_EQ(check("--seed 7 --poses 3 " + model).out, check("--seed 7 --poses 3 " + model).out);
  EXPECT_NE(check("--poses 3 " + model).out.find("(4 poses, 8 frames)"), std::string::npos);
}

TEST_F(Check, APaletteReplacesTheInventedPoses) {
  const std::string frames = LOCKLINE_VECTORS "/frames/shared_line";
  const Outcome outcome = check("--palette " + frames + ".palette " + frames + ".block");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("(pose \"palette "), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace lockline::tests
