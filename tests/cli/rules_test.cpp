#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>

#include "json_schema.hpp"
#include "program.hpp"

/// The rule book, second models, and the reports for other programs.
namespace lockline::tests {
namespace {

using Json = nlohmann::json;

class Rules : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) { return lockline(folder_, arguments); }
  Json json(const std::string& arguments) { return Json::parse(run(arguments).out, nullptr, false); }

  Folder folder_;
};

/// Every id that rules.md lists.
const std::set<std::string> documented = {
    "skn.count.min",  "skn.count.acc-zero", "skn.size.sk1",    "skn.size.sk2",      "skn.size.acc",
    "skn.align.dest", "skn.offset",         "skn.exclusive",   "skn.acc.exclusive", "skn.acc.sk1",
    "skn.acc.base",   "skn.mirror",         "skn.align.array", "skn.prefix",        "skn.layout.packed",
    "skn.order",      "skn.weights",        "skn.unwritten",   "skn.memclr.range",  "skn.memclr.noacc",
    "skn.shift",      "skn.bone.range",     "skn.bone.donor",  "skn.flush",         "skn.dup",
    "skn.bounds",     "gpl.writeback",      "gpl.scratch",     "gpl.index",         "gpl.components",
    "gpl.owned",      "act.tree",           "lod.pair",        "face.terminator",   "face.sum",
    "face.order",     "face.pose0",         "face.target",     "face.mirror",       "face.written",
    "face.packing",   "block.header",       "run.fault",       "run.overwrite",     "run.stale",
    "run.drift",      "run.saturate",       "run.nan",         "run.draw"};

TEST_F(Rules, EveryDocumentedRuleIsListedWithAllItsWords) {
  std::set<std::string> ids;
  const Json book = json("rules --format json");
  for (const Json& rule : book["rules"]) {
    ids.insert(rule["id"]);
    for (const char* member : {"severity", "summary", "consequence", "fix", "evidence"})
      EXPECT_FALSE(rule[member].get<std::string>().empty()) << rule["id"] << " " << member;
  }
  for (const std::string& id : documented) EXPECT_TRUE(ids.contains(id)) << id;
  const std::string text = run("rules").out;
  for (const std::string& id : ids) EXPECT_NE(text.find(id), std::string::npos) << id;
}

TEST_F(Rules, EveryPageHasItsWorkedExample) {
  const Json book = json("rules --format json");
  for (const Json& rule : book["rules"]) {
    const std::string id = rule["id"], example = rule["example"];
    const Outcome page = run("explain " + id);
    EXPECT_EQ(page.code, 0) << id;
    EXPECT_EQ(page.err, "");
    if (example.empty()) continue;
    EXPECT_NE(page.out.find("lockline corpus build " + example), std::string::npos) << id;
    // The rule fires on its example: the finding's own line follows the header.
    EXPECT_NE(page.out.find("  " + id + "  ", page.out.find("Example:")), std::string::npos) << page.out;
  }
}

TEST_F(Rules, UnknownRuleIsAnError) {
  const Outcome outcome = run("explain skn.nonsense");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "lockline: skn.nonsense: is no rule; 'lockline rules' lists them\n");
}

TEST_F(Rules, SecondModelsAreAskedForAndUsed) {
  const std::string low = build(folder_, "lod-low-foreign"), high = build(folder_, "lod-high");
  const std::string without = run("check " + low).out;
  EXPECT_NE(without.find("not checked: lod.pair, no other level of detail was given (--pair FILE)"),
            std::string::npos);
  EXPECT_NE(without.find("not checked: skn.bone.donor, no unmodified model was given (--donor FILE)"),
            std::string::npos);
  const Outcome with = run("check " + low + " --pair " + high);
  EXPECT_EQ(with.code, 1);
  EXPECT_EQ(with.out.find("not checked: lod.pair"), std::string::npos);
  EXPECT_NE(with.out.find("crash  lod.pair"), std::string::npos) << with.out;
  EXPECT_EQ(run("check " + build(folder_, "lod-low") + " --pair " + high).code, 0);
}

TEST_F(Rules, DonorJudgesTheBones) {
  const std::string patched = build(folder_, "bone-donor"), donor = build(folder_, "plain-body");
  EXPECT_EQ(run("check " + patched).code, 0);
  const Outcome outcome = run("check " + patched + " --donor " + donor);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("corrupt  skn.bone.donor"), std::string::npos) << outcome.out;
  EXPECT_EQ(run("check " + donor + " --donor " + donor).code, 0);
  const Outcome missing = run("check " + patched + " --donor nowhere.block");
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.err.rfind("lockline: nowhere.block: ", 0), 0U);
}

TEST_F(Rules, SarifNamesRulesBytesAndUnusableFiles) {
  const std::string broken = build(folder_, "sk1-one-odd");
  const Json log = json("check --format sarif " + broken + " missing.block");
  ASSERT_FALSE(log.is_discarded());
  EXPECT_EQ(log["version"], "2.1.0");
  const Json& run = log["runs"][0];
  EXPECT_FALSE(run["invocations"][0]["executionSuccessful"].get<bool>());
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 1U);
  const Json& rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(run["results"].size(), 2U);
  for (const Json& result : run["results"]) {
    EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
    EXPECT_EQ(result["level"], "error");
    EXPECT_FALSE(result.contains("baselineState"));
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "file://" + broken);
    const Json& region = result["locations"][0]["physicalLocation"]["region"];
    EXPECT_EQ(region["byteOffset"], 0x8A4);  // README's session: SK1[1] 0x8a4-0x8e4
    EXPECT_EQ(region["byteLength"], 0x40);
    EXPECT_EQ(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "SKN / SK1[1]");
  }
}

TEST_F(Rules, JunitHasACaseForEachRule) {
  const std::string broken = build(folder_, "sk1-one-odd");
  const Outcome outcome = run("check --format junit " + broken + " missing.block");
  EXPECT_EQ(outcome.code, 2);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(outcome.out.c_str()));
  const pugi::xml_node root = document.child("testsuites");
  const pugi::xml_node first = root.child("testsuite");
  EXPECT_EQ(first.attribute("failures").as_int(), 2);
  EXPECT_EQ(first.attribute("errors").as_int(), 0);
  std::set<std::string> failed, skipped;
  int cases = 0;
  for (const pugi::xml_node test : first.children("testcase")) {
    ++cases;
    if (test.child("failure")) failed.insert(test.attribute("name").value());
    if (test.child("skipped")) skipped.insert(test.attribute("name").value());
  }
  EXPECT_EQ(cases, first.attribute("tests").as_int());
  EXPECT_EQ(failed, (std::set<std::string>{"run.fault", "skn.count.min"}));
  EXPECT_EQ(skipped, (std::set<std::string>{"lod.pair", "skn.bone.donor"}));
  EXPECT_EQ(first.next_sibling("testsuite").attribute("errors").as_int(), 1);
}

TEST_F(Rules, BaselineAcceptsWhatIsKnownAndNothingWorse) {
  const std::string broken = build(folder_, "sk1-one-odd"), baseline = folder_ / "known.json";
  ASSERT_EQ(run("check " + broken).code, 1);
  const Outcome update = run("check " + broken + " --baseline " + baseline + " --update-baseline");
  EXPECT_EQ(update.code, 0) << update.err;
  const Json written = Json::parse(text_of(baseline));
  const JsonSchema schema(Json::parse(text_of(LOCKLINE_SCHEMAS "/baseline-1.schema.json")));
  EXPECT_EQ(schema.problem(written), "");
  ASSERT_EQ(written["models"][0]["known"].size(), 2U);

  const Outcome accepted = run("check " + broken + " --baseline " + baseline);
  EXPECT_EQ(accepted.code, 0);
  EXPECT_NE(accepted.out.find("accepted by the baseline: 2 findings"), std::string::npos) << accepted.out;
  EXPECT_EQ(accepted.out.find("skn.count.min"), std::string::npos);

  // The same model elsewhere is the same model; a worse finding at a known place is news.
  std::filesystem::create_directories(folder_ / "other");
  std::filesystem::copy_file(broken, folder_ / "other/sk1-one-odd.block");
  EXPECT_EQ(run("check " + (folder_ / "other/sk1-one-odd.block") + " --baseline " + baseline).code, 0);
  std::string milder = text_of(baseline);
  milder.replace(milder.find("\"crash\""), 7, "\"risk\"");
  write_text(folder_ / "milder.json", milder);
  EXPECT_EQ(run("check " + broken + " --baseline " + (folder_ / "milder.json")).code, 1);
}

TEST_F(Rules, BaselineSaysWhatIsGone) {
  const std::string model = build(folder_, "sk1-one-odd"), baseline = folder_ / "known.json";
  run("check " + model + " --baseline " + baseline + " --update-baseline");
  std::filesystem::copy_file(build(folder_, "plain-body"), model,
                             std::filesystem::copy_options::overwrite_existing);
  const Outcome outcome = run("check " + model + " --baseline " + baseline);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("in the baseline, not found any more: skn.count.min at SKN / SK1[1]"),
            std::string::npos)
      << outcome.out;
  const Json sarif = json("check " + model + " --baseline " + baseline + " --format sarif");
  for (const Json& result : sarif["runs"][0]["results"]) EXPECT_EQ(result["baselineState"], "absent");
  EXPECT_EQ(sarif["runs"][0]["results"].size(), 2U);
}

TEST_F(Rules, BadBaselinesAreOneError) {
  const std::string model = build(folder_, "plain-body");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "is not JSON"},
      {"[]", "must be an object"},
      {"{}", "/schema: is missing"},
      {R"({"schema": "lockline-baseline-2", "models": []})", "must be \"lockline-baseline-1\""},
      {R"({"schema": "lockline-baseline-1", "models": [{"file": "a"}]})", "/models/0/known: is missing"},
      {R"({"schema": "lockline-baseline-1", "models": [{"file": "a", "known": [{"rule": "x", "structure": "y", "severity": "bad"}]}]})",
       "/models/0/known/0/severity: must be crash, corrupt, risk or note"}};
  for (const auto& [text, reason] : cases) {
    write_text(folder_ / "bad.json", text);
    const Outcome outcome = run("check " + model + " --baseline " + (folder_ / "bad.json"));
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(run("check " + model + " --baseline " + (folder_ / "nowhere.json")).code, 2);
  EXPECT_EQ(run("check " + model + " --update-baseline").code, 2);
}

}  // namespace
}  // namespace lockline::tests
