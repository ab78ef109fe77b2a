#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace lockline::tests {
namespace {

class Commands : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) { return lockline(folder_, arguments); }
  static std::string frame_vector(const std::string& name) { return LOCKLINE_VECTORS "/frames/" + name; }

  Folder folder_;
};

TEST_F(Commands, RunReproducesEveryImageOfDolphin) {
  const auto names = stems("frames", ".frames");
  ASSERT_EQ(names.size(), 32U);
  for (const std::string& name : names) {
    const std::string base = frame_vector(name);
    for (const std::string address : {"", " --address 0x80400000"}) {
      const Outcome outcome = run("run " + base + ".block --palette " + base +
                                  ".palette --profile dolphin-5 --images " + (folder_ / "images") + address);
      EXPECT_EQ(outcome.code, 0) << name << outcome.err;
      EXPECT_TRUE(read_file(folder_ / "images") == read_file(base + ".frames")) << name << address;
    }
  }
}

TEST_F(Commands, RunStopsAtAFaultWithDolphinsLine) {
  const std::string base = frame_vector("sk1_count1_third");
  const Outcome outcome = run("run " + base + ".block --hash --palette " + base + ".palette");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out,
            "frame 0  fault in SK1[2] after 21844 vertices: Invalid read from 0xe0040000, PC = 0x80523ec4\n");
}

TEST_F(Commands, RunGoesOnAfterFaultsWhenTold) {
  const std::string base = frame_vector("sk2_count1");
  const Outcome outcome =
      run("run " + base + ".block --keep-going 3 --sk2-routine 0x80524024 --palette " + base + ".palette");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3) << outcome.out;
  EXPECT_NE(outcome.out.find("PC = 0x80524"), std::string::npos) << outcome.out;
}

TEST_F(Commands, HashesTellPositionsFromTheRest) {
  const std::string base = frame_vector("memclr_over_sk1");
  const std::string command = "run " + base + ".block --hash --frames 4 --palette " + base + ".palette";
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "frame 0  positions c9496efe3d796d79  rest 5dcb1fcef32d2349\n"
            "frame 1  positions d98a8dfac2e6286f  rest b5f4fa3e2e67426d\n"
            "frame 2  positions c3678a67acb65db8  rest 5dcb1fcef32d2349\n"
            "frame 3  positions 9cd2ddb11b5873db  rest b5f4fa3e2e67426d\n");
  EXPECT_EQ(run(command).out, outcome.out);
}

TEST_F(Commands, RunRefusesWhatItCannotUse) {
  const std::string base = frame_vector("shared_line");
  EXPECT_EQ(run("run " + base + ".block").code, 2);
  EXPECT_EQ(run("run " + base + ".block --palette " + base + ".block --frames 0").code, 2);
  EXPECT_EQ(run("run " + base + ".block --palette " + (folder_ / "no")).code, 2);
  const Outcome outcome =
      run("run " + base + ".block --palette " + base + ".palette --images " + (folder_ / "no/images"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("no/images: cannot create: No such file or directory"), std::string::npos);
}

TEST_F(Commands, VectorsGiveDolphinsAndTheConsolesBytes) {
  for (const std::string& set : stems("kernels", ".in")) {
    const std::string base = LOCKLINE_VECTORS "/kernels/" + set;
    for (const auto& [profile, expected] :
         {std::pair("dolphin-5", ".dolphin"), std::pair("console", ".console")}) {
      EXPECT_EQ(run("vectors " + base + ".in --profile " + profile + " --out " + (folder_ / "out")).code, 0);
      EXPECT_TRUE(read_file(folder_ / "out") == read_file(base + expected)) << set << profile;
    }
  }
  EXPECT_EQ(run("vectors " + frame_vector("shared_line") + ".block --out " + (folder_ / "out")).code, 2);
}

TEST_F(Commands, EveryBundledModelGivesItsExpectedVerdict) {
  const Outcome outcome = run("corpus check");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.find("NOT EXPECTED"), std::string::npos) << outcome.out;
  const std::string list = run("corpus list").out;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'),
            std::count(list.begin(), list.end(), '\n'));
}

TEST_F(Commands, CorpusShowsAndBuilds) {
  const auto recipe = nlohmann::json::parse(run("corpus show small-body").out, nullptr, false);
  ASSERT_FALSE(recipe.is_discarded());
  EXPECT_EQ(recipe["name"], "small-body");
  EXPECT_EQ(run("corpus show nothing").code, 2);
  EXPECT_EQ(run("corpus build nothing -o x").code, 2);
  EXPECT_EQ(run("corpus build small-body --all -o x").code, 2);
  EXPECT_EQ(run("corpus build small-body -o " + (folder_ / "no/x")).code, 2);
  EXPECT_EQ(run("corpus build --all -o " + (folder_ / "")).code, 0);
  const std::string all = text_of(folder_ / "small-body.block");
  EXPECT_FALSE(all.empty());
  EXPECT_EQ(text_of(build(folder_, "small-body")), all);
  EXPECT_FALSE(text_of(folder_ / "small-body.anm").empty());
}

TEST_F(Commands, InspectShowsWhoWritesWhichLine) {
  const Outcome outcome = run("inspect " + build(folder_, "shared-line"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("  0x00040-0x00060      1  SK1[0], SK1[1]  OVERLAP\n"), std::string::npos)
      << outcome.out;
  const Outcome json = run("inspect --format json " + (folder_ / "shared-line.block"));
  const auto report = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  EXPECT_EQ(report["schema"], "lockline-inspect-1");
  EXPECT_EQ(report["lines"][1]["owners"], nlohmann::json::array({"SK1[0]", "SK1[1]"}));
  EXPECT_EQ(report["lines"][1]["overlap"], true);
}

TEST_F(Commands, InspectShowsAnAnimationBank) {
  const std::string bank = folder_ / "plain-body.anm";
  EXPECT_EQ(run("corpus build plain-body -o " + (folder_ / "x") + " --anim " + bank).code, 0);
  const Outcome text = run("inspect " + bank);
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("Sequence 1 \"swing\", "), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("Unreadable"), std::string::npos) << text.out;
  const auto report = nlohmann::json::parse(run("inspect --format json " + bank).out, nullptr, false);
  ASSERT_FALSE(report.is_discarded());
  EXPECT_EQ(report["schema"], "lockline-inspect-anm-1");
  EXPECT_EQ(report["sequences"].size(), 7U);
  EXPECT_EQ(report["sequences"][0]["name"], "idle");
  const auto& track = report["sequences"][0]["tracks"][1];
  EXPECT_EQ(track["type"], nlohmann::json::array({"quaternion", "translation"}));
  EXPECT_EQ(track["interpolation"], nlohmann::json::array({"linear", "linear"}));
  EXPECT_EQ(track["keys"], 3);
  EXPECT_TRUE(report["problems"].empty());

  write_text(folder_ / "damaged.anm", text_of(bank).substr(0, 200));
  EXPECT_NE(run("inspect " + (folder_ / "damaged.anm")).out.find("Unreadable"), std::string::npos);
  write_text(folder_ / "neither", std::string(64, 'x'));
  const Outcome neither = run("inspect " + (folder_ / "neither"));
  EXPECT_EQ(neither.code, 2);
  EXPECT_NE(neither.err.find("neither a model block"), std::string::npos) << neither.err;
}

TEST_F(Commands, ExportWritesAGlb) {
  const std::string base = frame_vector("shared_line"), out = folder_ / "out.glb";
  const std::string command = "export " + base + ".block --palette " + base + ".palette -o " + out;
  for (const std::string as : {"", " --frames-as morphs", " --frames-as meshes"}) {
    const Outcome outcome = run(command + as);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("60 frames a second"), std::string::npos) << outcome.err;
    EXPECT_EQ(text_of(out).substr(0, 4), "glTF");
  }
}

TEST_F(Commands, ExportSaysWhereTheGameStopsAndWhatItLeftOut) {
  const std::string out = folder_ / "out.glb";
  const Outcome stopped = run("export " + build(folder_, "sk1-one-odd") + " -o " + out);
  EXPECT_EQ(stopped.code, 1);
  EXPECT_NE(
      stopped.err.find("the game stops in frame 0, in SK1[1]: Invalid read from 0xe0040000, PC = 0x80523ec4"),
      std::string::npos)
      << stopped.err;
  const Outcome outside = run("export " + build(folder_, "gpl-index-past") + " -o " + out);
  EXPECT_EQ(outside.code, 0);
  EXPECT_NE(outside.err.find("indices lead outside their arrays"), std::string::npos) << outside.err;
}

TEST_F(Commands, ExportRefusesWhatItCannotUse) {
  const std::string model = build(folder_, "small-body");
  EXPECT_EQ(run("export " + model).code, 2);
  EXPECT_EQ(run("export " + model + " -o " + (folder_ / "no/out.glb")).code, 2);
  EXPECT_EQ(run("export " + model + " -o /dev/full").code, 2);
  EXPECT_EQ(run("export " + model + " --frames-as films -o x").code, 2);
  const Outcome many = run("export " + model + " --poses 1000 -o " + (folder_ / "x"));
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.err.find("1 to 1000 frames can be exported"), std::string::npos) << many.err;
}

/// Dolphin's image of a vector's first frame in 24 MB of memory; its pointers stay offsets.
std::string dump_of(const Folder& folder, const std::string& base, std::size_t address) {
  const auto block = read_file(base + ".block"), images = read_file(base + ".frames");
  std::string memory(24U << 20, '\0');
  std::copy_n(images.begin(), block.size(),
              memory.begin() + static_cast<std::ptrdiff_t>(address - 0x80000000));
  write_text(folder / "mem1.raw", memory);
  return folder / "mem1.raw";
}

TEST_F(Commands, PaletteComesBackFromADump) {
  const std::string base = frame_vector("canonical_small"), dump = dump_of(folder_, base, 0x80500020);
  const std::string command = "palette " + base + ".block --ram " + dump + " -o " + (folder_ / "p");
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("the block is at 0x80500020"), std::string::npos) << outcome.err;
  EXPECT_EQ(run(command + " --address 0x80500020").err.find("the block is at"), std::string::npos);
  EXPECT_EQ(run("run " + base + ".block --profile dolphin-5 --palette " + (folder_ / "p") + " --images " +
                (folder_ / "images"))
                .code,
            0);
  const auto expected = read_file(base + ".frames"), images = read_file(folder_ / "images");
  EXPECT_TRUE(std::equal(images.begin(), images.end(), expected.begin()));
}

TEST_F(Commands, PaletteRefusesWhatItCannotUse) {
  const std::string base = frame_vector("canonical_small"), dump = dump_of(folder_, base, 0x80500020);
  const std::string out = " -o " + (folder_ / "p");
  EXPECT_EQ(run("palette " + base + ".block" + out).code, 2);
  EXPECT_EQ(run("palette " + base + ".block --ram " + (folder_ / "no") + out).code, 2);
  EXPECT_EQ(run("palette " + base + ".block --ram " + dump + " --address 0x81800000" + out).code, 2);
  const Outcome absent = run("palette " + frame_vector("shared_line") + ".block --ram " + dump + out);
  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.err.find("the block is not there"), std::string::npos) << absent.err;
}

TEST_F(Commands, CompareRamSaysWhatDiffers) {
  const std::string base = frame_vector("canonical_small"), dump = dump_of(folder_, base, 0x80500020);
  const Outcome outcome = run("compare-ram " + base + ".block --profile dolphin-5 --ram " + dump);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("block header  "), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("GPL / submesh 0 / positions"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("bytes differ, in "), std::string::npos) << outcome.out;
  EXPECT_EQ(run("compare-ram " + base + ".block --ram " + base + ".block").code, 2);
}

TEST_F(Commands, HelpAndVersionAreResults) {
  for (const std::string arguments : {"--help", "check --help", "corpus build --help", "--version"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments;
    EXPECT_FALSE(outcome.out.empty()) << arguments;
    EXPECT_EQ(outcome.err, "") << arguments;
  }
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("frobnicate").code, 2);
}

TEST_F(Commands, OutputThatCannotBeWrittenExitsWithTwo) {
  const std::string model = build(folder_, "luigi-shape");
  const Outcome full = lockline(folder_, "inspect " + model, "", ">/dev/full");
  EXPECT_EQ(full.code, 2);
  EXPECT_EQ(full.err, "lockline: standard output: No space left on device\n");
  EXPECT_EQ(run("corpus build plain-body -o /dev/full").code, 2);
}

TEST_F(Commands, AClosedPipeIsNoCrash) {
  const std::string model = build(folder_, "luigi-shape");
  const std::string command = "bash -c \"'" LOCKLINE_PROGRAM "' inspect --format json " + model + " 2>" +
                              (folder_ / "err") + " | true; exit \\${PIPESTATUS[0]}\"";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(text_of(folder_ / "err"), "");
}

}  // namespace
}  // namespace lockline::tests
