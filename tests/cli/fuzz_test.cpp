#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace lockline::tests {
namespace {

using Json = nlohmann::json;

class Fuzz : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) { return lockline(folder_, "fuzz " + arguments); }
  std::string at(const std::string& name) const { return folder_ / name; }

  Folder folder_;
};

constexpr const char* layouts = "--mutators groups,weights,rules,shift,layout ";

TEST_F(Fuzz, JobsDoNotMatter) {
  const Outcome one = run("--recipe small-body --cases 300 --jobs 1"),
                two = run("--recipe small-body --cases 300 --jobs 2");
  EXPECT_EQ(one.out, two.out);
  EXPECT_EQ(one.code, two.code);
  EXPECT_NE(one.out.find("300 cases, 300 built"), std::string::npos) << one.out;
  EXPECT_NE(run("--recipe small-body --cases 300 --seed 2").out, one.out);
}

TEST_F(Fuzz, ShardsTogetherAreTheWhole) {
  for (const char* shard : {"0/3", "1/3", "2/3"})
    run(std::string("--recipe plain-body --cases 100 --shard ") + shard + " --out " + at("shards"));
  run("--recipe plain-body --cases 300 --out " + at("whole"));
  std::string merged = run("merge " + at("shards")).out, whole = run("merge " + at("whole")).out;
  EXPECT_EQ(merged, whole);
  EXPECT_NE(merged.find("300 cases"), std::string::npos) << merged;
}

TEST_F(Fuzz, AStoppedCampaignGoesOn) {
  run("--recipe plain-body --cases 128 --out " + at("parts"));
  run("--recipe plain-body --cases 300 --out " + at("parts"));
  run("--recipe plain-body --cases 300 --out " + at("once"));
  EXPECT_EQ(text_of(at("parts/state-0-of-1.json")), text_of(at("once/state-0-of-1.json")));
  EXPECT_EQ(run("--recipe face-body --cases 10 --out " + at("once")).code, 2) << "another campaign's folder";
}

TEST_F(Fuzz, LayoutsOfTheBuilderHoldWhatTheyPromise) {
  for (const char* recipe : {"plain-body", "duplicates", "acc-only", "mario-shape"}) {
    const Outcome outcome = run(std::string("--recipe ") + recipe + " --cases 250 " + layouts);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
  }
}

TEST_F(Fuzz, FindsAreReducedAndReplay) {
  // A late mirror with a face: rules.md calls it corrupt, and no frame shows it.
  const Outcome outcome = run("--recipe face-body --cases 200 --mutators rules --out " + at("campaign"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("find: rules / skn.mirror"), std::string::npos) << outcome.out;
  const std::string find = at("campaign/finds/rules-skn.mirror");
  for (const char* name : {"model.block", "recipe.json", "palette.bin", "verdict.txt", "replay.txt"})
    EXPECT_TRUE(std::filesystem::exists(find + "/" + name)) << name;
  EXPECT_LT(std::filesystem::file_size(find + "/model.block"),
            std::filesystem::file_size(build(folder_, "face-body")));
  const Outcome replay = run("--donor " + find + "/model.block --mutators none --cases 1");
  EXPECT_NE(replay.out.find("find: rules / skn.mirror"), std::string::npos) << replay.out;
}

TEST_F(Fuzz, APatcherUnderTest) {
  const std::string source =
      "--recipe plain-body --cases 64 --mutators shift,weights --out " + at("patcher") + " --command ";
  EXPECT_EQ(run(source + "'cp {in} {out}'").code, 0);
  std::filesystem::remove_all(at("patcher"));
  const Outcome refusing = run(source + "'false {in} {out}'");
  EXPECT_NE(refusing.out.find("find: command / refused"), std::string::npos) << refusing.out;
  std::filesystem::remove_all(at("patcher"));
  const Outcome breaking = run(source + "'cp " + build(folder_, "shared-line") + " {out}; true {in}'");
  EXPECT_NE(breaking.out.find("find: command / skn.exclusive"), std::string::npos) << breaking.out;
}

TEST_F(Fuzz, DonorsAreDamaged) {
  const Outcome outcome = run("--donor " + build(folder_, "duplicates") + " --cases 200");
  EXPECT_NE(outcome.out.find("200 cases"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("rules that fired"), std::string::npos);
}

TEST_F(Fuzz, UsageErrorsSayWhatThereIs) {
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("--recipe plain-body --donor x").code, 2);
  EXPECT_NE(run("--recipe plain-body --mutators nonsense").err.find("there are flips, none, groups"),
            std::string::npos);
  EXPECT_EQ(run("--recipe nonsense").code, 2);
  for (const char* shard : {"1/1", "0/0", "a/b", "1", "0/"})
    EXPECT_EQ(run(std::string("--recipe plain-body --shard ") + shard).code, 2) << shard;
  std::filesystem::create_directories(at("bad"));
  write_text(at("bad/state-0-of-1.json"), "{}");
  EXPECT_EQ(run("merge " + at("bad")).code, 2);
  EXPECT_EQ(run("merge " + at("nowhere")).code, 2);
}

}  // namespace
}  // namespace lockline::tests
