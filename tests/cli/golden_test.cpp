#include <gtest/gtest.h>

#include <map>

#include "tests/cli/json_schema.hpp"
#include "tests/cli/program.hpp"

namespace lockline::tests {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class GoldenCommand : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) { return lockline(folder_, arguments); }

  /// A bundled model with its animations beside it.
  std::string model(const std::string& name) {
    const std::string stem = folder_ / name;
    run("corpus build " + name + " -o '" + stem + ".block' --anim '" + stem + ".anm'");
    return stem + ".block";
  }
  Outcome record(const std::string& arguments) { return run("golden record " + golden_ + " " + arguments); }
  Outcome verify(const std::string& arguments = "") {
    return run("golden verify " + golden_ + " " + arguments);
  }

  Json manifest() { return Json::parse(text_of(golden_ + "/manifest.json"), nullptr, false); }
  void write_manifest(const Json& json) { write_text(golden_ + "/manifest.json", json.dump()); }
  static void flip(const std::string& path, std::size_t at, int bit = 0) {
    std::string bytes = text_of(path);
    ASSERT_LT(at, bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
    write_text(path, bytes);
  }
  /// Files of the golden's folder and their bytes.
  std::map<std::string, std::string> golden_bytes() {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(golden_))
      files[entry.path().filename().string()] = text_of(entry.path().string());
    return files;
  }

  Folder folder_;
  std::string golden_ = folder_ / "golden";
};

TEST_F(GoldenCommand, WhatWasRecordedIsEqual) {
  const std::string models = model("plain-body") + " " + model("luigi-shape") + " " + model("face-body") +
                             " " + build(folder_, "memclr-over-sk1");
  fs::remove(folder_ / "memclr-over-sk1.anm");
  const Outcome recorded = record(models);
  EXPECT_EQ(recorded.code, 0) << recorded.err;
  EXPECT_TRUE(has(recorded.out, "4 models, ")) << recorded.out;
  const Outcome verified = verify();
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
  EXPECT_TRUE(has(verified.out, ": all equal\n")) << verified.out;
  EXPECT_EQ(verify("--core scalar").out, verified.out);

  const Json json = manifest();
  ASSERT_FALSE(json.is_discarded());
  const JsonSchema schema(Json::parse(text_of(LOCKLINE_SCHEMAS "/golden-1.schema.json"), nullptr, false));
  EXPECT_EQ(schema.problem(json), "");
  EXPECT_EQ(json["models"][0]["path"], "../plain-body.block");
  EXPECT_EQ(json["models"][0]["sequences"].size(), 7U);
  EXPECT_EQ(json["models"][0]["sequences"][1]["name"], "swing");
  EXPECT_EQ(json["models"][3]["sequences"][0]["name"], "poses");
  EXPECT_EQ(json["models"][3]["sequences"][0]["frames"].size(), 9U);
}

TEST_F(GoldenCommand, ThreadsDoNotMatter) {
  const std::string models = model("plain-body") + " " + model("small-body") + " " + model("sk1-one-odd");
  EXPECT_EQ(record(models + " --threads 1").code, 0);
  const auto one = golden_bytes();
  fs::remove_all(golden_);
  EXPECT_EQ(record(models + " --threads 2").code, 0);
  EXPECT_EQ(golden_bytes(), one);
  EXPECT_EQ(verify("--threads 1").out, verify("--threads 2").out);
  flip(folder_ / "plain-body.block", 0x200);
  flip(folder_ / "small-body.anm", 0x200);
  const Outcome a = verify("--threads 1"), b = verify("--threads 2");
  EXPECT_EQ(a.code, 1);
  EXPECT_EQ(a.out, b.out);
}

TEST_F(GoldenCommand, AChangedModelIsToldFromAChangedEmulation) {
  const std::string path = model("plain-body");
  EXPECT_EQ(record(path + " " + model("small-body")).code, 0);
  const auto report = run("inspect --format json " + path);
  const Json inspection = Json::parse(report.out, nullptr, false);
  std::size_t skn = 0;
  for (const Json& section : inspection["sections"])
    if (section["name"] == "SKN") skn = section["at"];
  const std::size_t source = inspection["skin"]["entries"][0]["source"],
                    offset = inspection["skin"]["entries"][0]["vertex_offset"];
  flip(path, skn + source + offset, 4);  // high byte of the first vertex's x
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "plain-body.block: the model changed; in the file byte 0x")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "SK1[0] / source")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "  idle: frame 0 (positions, rest): slot 0, byte 0x")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "; written by SK1[0] write-back\n")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "small-body")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "emulation")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "1 of 2 models differ\n")) << outcome.out;
}

/// Another emulation of the same model: what the manifest's profile makes of it.
TEST_F(GoldenCommand, AChangedEmulationNamesByteAndAuthor) {
  const std::string path = model("small-body");
  EXPECT_EQ(record(path + " --memclr store").code, 0);
  EXPECT_EQ(verify().code, 0);
  const std::string over = build(folder_, "memclr-over-sk1");
  EXPECT_EQ(record(over + " --memclr store").code, 0);
  EXPECT_EQ(verify().code, 0);
  Json json = manifest();
  json["settings"]["memclr"] = "dcbz";
  write_manifest(json);
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "memclr-over-sk1.block: the emulation changed (recorded by lockline "))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "  poses: frame 0 (positions")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "slot ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "written by memClr\n")) << outcome.out;
}

TEST_F(GoldenCommand, DamagedHashesAndImagesAreToldFromBoth) {
  EXPECT_EQ(record(model("small-body")).code, 0);
  const Json original = manifest();
  Json json = original;
  std::string hashes = json["models"][0]["sequences"][2]["frames"][5];
  hashes[3] = hashes[3] == '0' ? '1' : '0';
  json["models"][0]["sequences"][2]["frames"][5] = hashes;
  write_manifest(json);
  Outcome outcome = verify();
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "small-body.block: the golden is damaged\n")) << outcome.out;
  EXPECT_TRUE(
      has(outcome.out, "  run: frame 5 (positions): the manifest's hash and the recorded image disagree"))
      << outcome.out;

  const std::string images = golden_ + "/" + std::string(json["models"][0]["sequences"][2]["images"]);
  write_text(images, text_of(images).substr(0, 100));
  outcome = verify();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.out, "the recorded image cannot be read: ")) << outcome.out;
  fs::remove(images);
  EXPECT_EQ(verify().code, 2);
  write_manifest(original);
  EXPECT_EQ(verify().code, 0) << "images are read only when hashes differ";
}

TEST_F(GoldenCommand, RenamedMovedAndReorderedFilesAreFound) {
  EXPECT_EQ(record(model("plain-body") + " " + model("small-body")).code, 0);
  const std::string equal = verify().out;
  fs::rename(folder_ / "plain-body.block", folder_ / "x");
  fs::rename(folder_ / "small-body.block", folder_ / "plain-body.block");
  fs::rename(folder_ / "x", folder_ / "small-body.block");
  fs::rename(folder_ / "small-body.anm", folder_ / "other.bank");
  EXPECT_EQ(verify().out, equal);

  Json json = manifest();
  std::swap(json["models"][0], json["models"][1]);
  write_manifest(json);
  EXPECT_EQ(verify().out, equal);

  fs::create_directory(folder_ / "elsewhere");
  for (const std::string name : {"plain-body.block", "plain-body.anm"})
    fs::rename(folder_ / name, folder_ / "elsewhere/" + name);
  const Outcome gone = verify();
  EXPECT_EQ(gone.code, 1);
  EXPECT_TRUE(has(gone.out, "small-body.block: the model changed")) << gone.out;
  EXPECT_EQ(verify(folder_ / "elsewhere/plain-body.block" + " " + (folder_ / "elsewhere/plain-body.anm")).out,
            equal);
}

TEST_F(GoldenCommand, AMissingFileIsSaidSo) {
  EXPECT_EQ(record(model("small-body")).code, 0);
  fs::rename(folder_ / "small-body.anm", folder_ / "../lockline-test-bank");
  Outcome outcome = verify();
  fs::remove(folder_ / "../lockline-test-bank");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "its animation bank is not the recorded one")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "small-body.anm is gone")) << outcome.out;
  fs::remove(folder_ / "small-body.block");
  outcome = verify();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "small-body.block: is gone")) << outcome.out;
}

TEST_F(GoldenCommand, AChangedBankIsSaidSo) {
  EXPECT_EQ(record(model("small-body")).code, 0);
  run("corpus build plain-body -o " + (folder_ / "x") + " --anim " + (folder_ / "small-body.anm"));
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "small-body.block: its animation bank is not the recorded one\n"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "written by SK")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "emulation")) << outcome.out;
}

TEST_F(GoldenCommand, AFaultIsPartOfTheGolden) {
  EXPECT_EQ(record(model("sk1-one-odd")).code, 0);
  EXPECT_EQ(verify().code, 0);
  Json json = manifest();
  Json& sequence = json["models"][0]["sequences"][0];
  EXPECT_EQ(sequence["fault"]["frame"], 0);
  EXPECT_EQ(sequence["fault"]["line"],
            "SK1[1] after 21161 vertices: Invalid read from 0xe0040000, PC = 0x80523ec4");
  EXPECT_EQ(sequence["frames"].size(), 1U);
  sequence["fault"] = nullptr;
  write_manifest(json);
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.out, "  idle: fault: was none; is now frame 0, SK1[1] after")) << outcome.out;
}

TEST_F(GoldenCommand, BanksGivenAreForEveryModel) {
  const std::string models = model("small-body") + " " + model("plain-body");
  EXPECT_EQ(
      record(models + " --anim " + (folder_ / "small-body.anm") + " --anim " + (folder_ / "plain-body.anm"))
          .code,
      0);
  const Json json = manifest();
  EXPECT_EQ(json["models"][0]["sequences"].size(), 14U);
  EXPECT_EQ(json["models"][1]["sequences"].size(), 14U);
  EXPECT_EQ(verify().code, 0);
}

TEST_F(GoldenCommand, APaletteRunsModelsWithoutAnimations) {
  const std::string base = LOCKLINE_VECTORS "/frames/shared_line";
  EXPECT_EQ(record(base + ".block --palette " + base + ".palette").code, 0);
  const Json json = manifest();
  EXPECT_EQ(json["models"][0]["sequences"][0]["name"], "palette");
  EXPECT_EQ(verify().code, 0);
}

TEST_F(GoldenCommand, WhatCannotBeUsedExitsWithTwo) {
  const std::string path = model("small-body");
  EXPECT_EQ(verify().code, 2);
  EXPECT_EQ(record(folder_ / "no.block").code, 2);
  EXPECT_EQ(record(folder_ / "small-body.anm").code, 2);
  EXPECT_EQ(record(path + " --anim " + path).code, 2);
  EXPECT_FALSE(fs::exists(golden_ + "/manifest.json"));
  EXPECT_EQ(run("golden record " + path + " " + path).code, 2);
  EXPECT_EQ(run("golden").code, 2);
  EXPECT_EQ(record(path).code, 0);
  for (const std::string& text : {std::string(), std::string("{}"), std::string("[1"),
                                  text_of(golden_ + "/manifest.json").substr(0, 500)}) {
    write_text(golden_ + "/manifest.json", text);
    const Outcome outcome = verify();
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_TRUE(has(outcome.err, "manifest.json: ")) << outcome.err;
  }
}

}  // namespace
}  // namespace lockline::tests
