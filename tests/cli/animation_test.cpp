#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace lockline::tests {
namespace {

class Animation : public testing::Test {
 protected:
  Animation() : model_(folder_ / "face-body.block"), bank_(folder_ / "face-body.anm") {
    run("corpus build face-body -o " + model_ + " --anim " + bank_);
  }
  Outcome run(const std::string& arguments) { return lockline(folder_, arguments); }

  Folder folder_;
  std::string model_, bank_;
};

TEST_F(Animation, CheckRunsASequenceOnce) {
  const Outcome outcome = run("check " + model_ + " --anim " + bank_ + " --sequence swing --frames 12");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("face-body.block: clean (12 poses, 12 frames)\n"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(run("check " + model_ + " --anim " + bank_ + " --sequence 1 --frames 12").out, outcome.out);
}

TEST_F(Animation, APaletteOfItGivesTheSameImages) {
  const std::string palette = folder_ / "swing.palette";
  const Outcome written =
      run("palette " + model_ + " --anim " + bank_ + " --sequence swing --speed 1.5 -o " + palette);
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_NE(written.out.find(" frames of 12 bones\n"), std::string::npos) << written.out;
  const std::string faces = " --face '*=talk:3' --hash";
  const Outcome animated =
      run("run " + model_ + " --anim " + bank_ + " --sequence swing --speed 1.5" + faces);
  EXPECT_EQ(animated.code, 0) << animated.err;
  EXPECT_NE(animated.out, "");
  EXPECT_EQ(run("run " + model_ + " --palette " + palette + faces).out, animated.out);
  EXPECT_NE(run("run " + model_ + " --palette " + palette + " --hash").out, animated.out);
}

TEST_F(Animation, APaletteWithoutAScriptLeavesFacesAlone) {
  const std::string palette = folder_ / "swing.palette";
  run("palette " + model_ + " --anim " + bank_ + " -o " + palette);
  const std::string moved = folder_ / "moved.block";
  auto bytes = read_file(model_);
  // A record of the mirror that pose 0 would put back: the source of SK1[0]'s vertex 3.
  const auto word = [&](std::size_t at) {
    return std::size_t{bytes[at]} << 24 | std::size_t{bytes[at + 1]} << 16 | std::size_t{bytes[at + 2]} << 8 |
           bytes[at + 3];
  };
  const std::size_t skn = word(0x10), source = skn + word(skn + word(skn + 8) + 0x30) + 3 * 12;
  bytes[source + 1] ^= 0x10;
  write_text(moved, std::string(bytes.begin(), bytes.end()));
  const auto hash = [&](const std::string& options) {
    return run("run " + moved + " --hash --frames 1 " + options).out;
  };
  EXPECT_NE(hash("--palette " + palette), hash("--palette " + palette + " --face '*=0'"));
  EXPECT_EQ(hash("--anim " + bank_), hash("--palette " + palette + " --face '*=0'"));
}

TEST_F(Animation, NoInputIsOverwritten) {
  const auto model = read_file(model_), bank = read_file(bank_);
  const std::string palette = folder_ / "p";
  run("palette " + model_ + " --anim " + bank_ + " -o " + palette);
  std::filesystem::create_hard_link(model_, folder_ / "link");
  std::filesystem::create_symlink(bank_, folder_ / "symlink");
  const std::string animated = "run " + model_ + " --anim " + bank_ + " --images ";
  for (const std::string& command :
       {animated + model_, animated + bank_, animated + (folder_ / "link"), animated + (folder_ / "symlink"),
        animated + (folder_ / "./face-body.anm"),
        "run " + model_ + " --palette " + palette + " --images " + palette,
        "palette " + model_ + " --anim " + bank_ + " -o " + bank_,
        "palette " + model_ + " --anim " + bank_ + " -o " + model_}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_NE(outcome.err.find("is an input of this command"), std::string::npos) << outcome.err;
  }
  EXPECT_TRUE(read_file(model_) == model);
  EXPECT_TRUE(read_file(bank_) == bank);
  EXPECT_EQ(run(animated + (folder_ / "images") + " --frames 2").code, 0);
  EXPECT_EQ(read_file(folder_ / "images").size(), 2 * model.size());
}

TEST_F(Animation, MistakesAreNamed) {
  const std::string check = "check " + model_ + " ";
  write_text(folder_ / "cut.anm", text_of(bank_).substr(0, 2000));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {check + "--anim nowhere", "nowhere: cannot open"},
      {check + "--anim " + model_, "model block"},
      {check + "--anim " + (folder_ / "cut.anm"), "cut.anm: 0x"},
      {check + "--anim " + bank_ + " --sequence nope", "no sequence 'nope'; the bank has 7: 0 idle, 1 swing"},
      {check + "--anim " + bank_ + " --speed 0", "--speed"},
      {check + "--anim " + bank_ + " --speed nan", "speed"},
      {check + "--anim " + bank_ + " --speed 1e-9", "choose how many"},
      {check + "--anim " + bank_ + " --frames 100001", "--frames"},
      {check + "--anim " + bank_ + " --palette " + bank_, "--palette"},
      {check + "--anim " + bank_ + " --poses 3", "--poses"},
      {check + "--sequence 1", "--sequence requires --anim"},
      {check + "--frames 3", "--frames: needs --palette or --anim"},
      {check + "--face '0=wink'", "--face: 0x000002"},
      {check + "--face '7=1'", "names facial object 7, the model has 2"},
      {check + "--face '0=3'", "names pose 3 of facial object 0, which has 3"},
      {"run " + model_, "--palette or --anim is required"},
      {"palette " + model_ + " -o x", "needs either --anim or --ram"}};
  for (const auto& [command, reason] : cases) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command << outcome.out;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << command << "\n" << outcome.err;
  }
}

}  // namespace
}  // namespace lockline::tests
