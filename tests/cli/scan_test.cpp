#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "program.hpp"

namespace lockline::tests {
namespace {

using Json = nlohmann::json;

class Scan : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new Folder;
    game_ = *shared_ / "game";
    lockline(*shared_, "corpus game " + game_);
  }
  static void TearDownTestSuite() { delete shared_; }

  Outcome run(const std::string& arguments) { return lockline(*shared_, arguments); }

  static Folder* shared_;
  static std::string game_;
};

Folder* Scan::shared_ = nullptr;
std::string Scan::game_;

TEST_F(Scan, FindsTheSixBrokenOfAHundredAndEightyModels) {
  const Outcome outcome = run("scan " + game_);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("1400 model blocks (181 distinct, 180 skinned)"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("6 failed (corrupt or worse), 0 unusable, 0 problems"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.out.rfind("crash     0/0 and ", 0), 0U) << outcome.out;
}

TEST_F(Scan, ThreadsDoNotMatterAndJsonFollowsItsSchema) {
  const Outcome one = run("scan --format json --jobs 1 " + game_),
                two = run("scan --format json --jobs 2 " + game_);
  EXPECT_EQ(one.out, two.out);
  const Json report = Json::parse(one.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  const JsonSchema schema(Json::parse(text_of(LOCKLINE_SCHEMAS "/scan-1.schema.json")));
  EXPECT_EQ(schema.problem(report), "");
  std::size_t past = 0;
  for (const Json& model : report["models"]) past += model["offset"] >= 715046144 ? 1 : 0;
  EXPECT_EQ(report["models"].size(), 181U);
}

TEST_F(Scan, WritesAPageThatLoadsNothing) {
  const std::string page = *shared_ / "scan.html";
  run("scan " + game_ + " --html " + page);
  const std::string html = text_of(page);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(html.find("skn.count.min"), std::string::npos);
  EXPECT_EQ(html.find("http"), html.find("http-equiv"));
  EXPECT_EQ(html.find("<script"), std::string::npos);
}

TEST_F(Scan, AModelHasAnAddressInTheGame) {
  const Json report = Json::parse(run("scan --format json " + game_).out, nullptr, false);
  const std::string range = ":" + std::to_string(report["models"][0]["offset"].get<std::uint64_t>()) + ":" +
                            std::to_string(report["models"][0]["length"].get<std::uint64_t>());
  for (const std::string& name :
       {game_ + ":0/0", game_ + ":0x0/0", game_ + ":0/5/0", game_ + "/dt_na.dat" + range}) {
    const Outcome outcome = run("check '" + name + "'");
    EXPECT_EQ(outcome.code, 1) << name << outcome.err;
    EXPECT_NE(outcome.out.find("skn.count.min"), std::string::npos) << name << outcome.err;
  }
  EXPECT_EQ(run("inspect " + game_ + ":1/0").code, 0);
}

TEST_F(Scan, WrongAddressesSayWhatThereIs) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {game_ + ":400/0", "there is no chunk 400, the game has 172"},
      {game_ + ":0/77", "chunk 0 has 6 files, no file 77"},
      {game_ + ":0/5/77", "the archive has no member 77"},
      {game_ + ":0/0/1", "is no archive"},
      {game_ + ":x", "is no CHUNK/FILE"},
      {game_ + "/dt_na.dat:zz", "is no OFFSET"},
      {game_ + "/dt_na.dat:0x7fffffff:16", "leave the file"},
      {game_ + "/dt_na.dat:0:0xffffffff", "more than a block can have"}};
  for (const auto& [name, reason] : cases) {
    const Outcome outcome = run("check '" + name + "'");
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  }
}

TEST_F(Scan, TheOriginalIsTheDonor) {
  const Outcome outcome = run("scan " + game_ + " --original " + game_ + "/main.dol " + game_ + "/dt_na.dat");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_EQ(outcome.out.find("skn.bone.donor"), std::string::npos);
}

TEST_F(Scan, DamageLosesNothingElse) {
  const std::string folder = *shared_ / "damaged";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(game_ + "/main.dol", folder + "/main.dol",
                             std::filesystem::copy_options::overwrite_existing);
  // Half of the file is missing: what lies behind cannot be read, the rest is checked.
  write_text(folder + "/dt_na.dat", std::string(text_of(game_ + "/main.dol").size(), '\0'));
  const Outcome outcome = run("scan --dol " + folder + "/main.dol --dat " + folder + "/dt_na.dat");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.out.find("leave the file"), std::string::npos);
  EXPECT_NE(outcome.out.find("172 directories"), std::string::npos);

  write_text(folder + "/main.dol", "no executable");
  const Outcome foreign = run("scan " + folder);
  EXPECT_EQ(foreign.code, 2);
  EXPECT_NE(foreign.err.find("a DOL starts with 256 bytes of header"), std::string::npos) << foreign.err;
  EXPECT_EQ(run("scan " + (*shared_ / "nowhere")).code, 2);
  EXPECT_EQ(run("scan").code, 2);
}

TEST_F(Scan, SluggieFilesAreModels) {
  const std::string broken = build(*shared_, "sk1-one-odd");
  std::string bytes;
  for (const unsigned char c : text_of(broken)) bytes += (bytes.empty() ? "" : ",") + std::to_string(c);
  const std::string file = *shared_ / "model.sluggie";
  write_text(
      file,
      R"({"SluggiesModel": {"ModelOffset": "0x0", "ModelLength": 1, "DonorEntry": {"Offset": "0x0", "Data": [)" +
          bytes + "]}}}");
  const Outcome outcome = run("check " + file);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("skn.count.min"), std::string::npos) << outcome.err;
  write_text(file, R"({"SluggiesModel": {"ModelOffset": "0x1000", "ModelLength": 32}})");
  EXPECT_NE(run("check " + file).err.find("dt_na.dat:0x1000:0x20"), std::string::npos);
}

}  // namespace
}  // namespace lockline::tests
