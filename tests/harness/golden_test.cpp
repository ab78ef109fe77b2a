#include "harness/golden.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "corpus/animation.hpp"
#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/golden_compare.hpp"
#include "harness/golden_images.hpp"

namespace lockline::harness {
namespace {

Golden example() {
  Golden golden;
  golden.tool = "0.1.0";
  golden.settings = {"dolphin", "dcbz", 0x80C00000,         0x80524024,
                     {},        8,      0xFFFFFFFFFFFFFFFF, GoldenFile{"p", 1, 2}};
  golden.models.reserve(2);
  GoldenModel& model = golden.models.emplace_back();
  model.file = {"../a.block", 0x0123456789ABCDEF, 4320};
  model.sequences.push_back({"idle",
                             GoldenFile{"../a.anm", 5, 6},
                             3,
                             "a.images",
                             {{{1, 2, 3}, {4, 5, 0xFFFFFFFFFFFFFFFF}}, GoldenFault{1, "a line"}}});
  GoldenModel& refused = golden.models.emplace_back();
  refused.file = {"b", 7, 8};
  refused.not_emulated = "no positions";
  return golden;
}

TEST(GoldenManifest, ComesBack) {
  const std::string text = golden_json(example());
  const auto read = parse_golden(text);
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(golden_json(*read), text);
  EXPECT_EQ(read->settings.sk2_routine, 0x80524024U);
  EXPECT_EQ(read->settings.skacc_routine, std::nullopt);
  EXPECT_EQ(read->settings.seed, 0xFFFFFFFFFFFFFFFF);
  EXPECT_EQ(read->models[0].file, example().models[0].file);
  EXPECT_EQ(read->models[0].sequences[0].frames, example().models[0].sequences[0].frames);
  EXPECT_EQ(read->models[1].not_emulated, "no positions");
}

/// The example with one value replaced must be refused, with that path in the error.
void refuses(const std::string& pointer, const nlohmann::json& value, const std::string& path) {
  auto document = nlohmann::json::parse(golden_json(example()));
  document[nlohmann::json::json_pointer(pointer)] = value;
  const auto read = parse_golden(document.dump());
  ASSERT_FALSE(read) << pointer << " " << value;
  EXPECT_EQ(read.error().structure, path) << read.error().message;
}

TEST(GoldenManifest, RefusesWhatItCannotUse) {
  const std::string sequence = "/models/0/sequences/0";
  refuses("/schema", "lockline-golden-2", "/schema");
  refuses("/extra", 1, "/extra");
  refuses("/settings/profile", "gamecube", "/settings/profile");
  refuses("/settings/memclr", "", "/settings/memclr");
  refuses("/settings/random_poses", 100001, "/settings/random_poses");
  refuses("/settings/sk2_routine", "0x80524024", "/settings/sk2_routine");
  refuses("/settings/seed", -1, "/settings/seed");
  refuses("/settings/palette", 5, "/settings/palette");
  refuses("/models", nlohmann::json::object(), "/models");
  refuses("/models/0/xxh3", "0123456789abcdeg", "/models/0/xxh3");
  refuses("/models/0/xxh3", "0123456789abcde", "/models/0/xxh3");
  refuses("/models/0/xxh3", "-123456789abcdef", "/models/0/xxh3");
  refuses("/models/0/bytes", 1.5, "/models/0/bytes");
  refuses("/models/0/sequences", nlohmann::json::array(), "/models/0");
  refuses("/models/1/not_emulated", nullptr, "/models/1");
  refuses(sequence + "/bank", "a.anm", sequence + "/bank");
  for (const char* name : {"", ".", "..", "../a", "a/b", "a\\b"})
    refuses(sequence + "/images", name, sequence + "/images");
  refuses(sequence + "/frames", nlohmann::json::array(), sequence + "/frames");
  refuses(sequence + "/frames/1", "0000000000000000 0000000000000000", sequence + "/frames/1");
  refuses(sequence + "/frames/1", nullptr, sequence + "/frames/1");
  refuses(sequence + "/frames/1", std::string(50, '0'), sequence + "/frames/1");
  refuses(sequence + "/fault/frame", 0, sequence + "/fault/frame");
  refuses(sequence + "/fault/frame", 4294967295U, sequence + "/fault/frame");
  refuses(sequence + "/fault", "line", sequence + "/fault");
  for (const char* text : {"", "{", "[]", "null", "5", "{}", "\"x\""})
    EXPECT_FALSE(parse_golden(text)) << text;
}

TEST(GoldenManifest, EveryTruncationIsRefused) {
  const std::string text = golden_json(example());
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    ASSERT_FALSE(parse_golden(std::string_view(text).substr(0, length))) << length;
}

std::vector<std::uint8_t> images_file() {
  const std::vector<std::uint8_t> block{1, 2, 3, 4, 5, 6, 7, 8};
  GoldenImagesWriter writer(block);
  for (std::uint8_t f = 0; f < 3; ++f) writer.add(std::vector<std::uint8_t>(8, f));
  return writer.finish();
}

TEST(GoldenImagesFile, ComesBack) {
  const auto file = images_file();
  const auto images = GoldenImages::open(file);
  ASSERT_TRUE(images) << to_string(images.error());
  ASSERT_EQ(images->frames(), 3U);
  EXPECT_EQ(images->block()[7], 8);
  for (std::uint8_t f = 0; f < 3; ++f) EXPECT_EQ(*images->frame(f), std::vector<std::uint8_t>(8, f));
}

TEST(GoldenImagesFile, DamageIsAnErrorOrOtherBytes) {
  const auto original = images_file();
  for (std::size_t length = 0; length < original.size(); ++length) {
    const std::vector<std::uint8_t> cut(original.begin(),
                                        original.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_FALSE(GoldenImages::open(cut)) << length;
  }
  for (std::size_t at = 0; at < original.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      auto file = original;
      file[at] = static_cast<std::uint8_t>(value);
      const auto images = GoldenImages::open(file);
      if (!images) continue;
      for (std::uint32_t f = 0; f < images->frames(); ++f) {
        if (const auto frame = images->frame(f)) {
          EXPECT_EQ(frame->size(), images->block().size());
        }
      }
    }
  }
}

struct Model {
  std::vector<std::uint8_t> bytes;
  Block block;
};

Model model_of(const std::string& name) {
  Model model;
  model.bytes = *corpus::build_bytes(*corpus::find(name));
  model.block = *parse_block(model.bytes);
  return model;
}

PoseSource animation_of(const std::string& name, std::uint32_t sequence) {
  PoseSource source;
  source.animation =
      AnimationSource{std::make_shared<const Anm>(corpus::build_animation(*corpus::find(name))), sequence};
  return source;
}

TEST(GoldenRun, AReusedMachineGivesAFreshOnesFrames) {
  ReusableMachine reused({});
  for (const char* name : {"plain-body", "sk1-one-odd", "luigi-shape", "plain-body"}) {
    const Model model = model_of(name);
    const PoseSource poses = animation_of(name, 1);
    ReusableMachine fresh({});
    const auto a = run_golden(reused, model.bytes, model.block, poses),
               b = run_golden(fresh, model.bytes, model.block, poses);
    ASSERT_TRUE(a && b) << name;
    EXPECT_EQ(*a, *b) << name;
    EXPECT_FALSE(a->frames.empty());
  }
}

TEST(GoldenRun, AFaultEndsItAndIsRecorded) {
  const Model model = model_of("sk1-one-odd");
  ReusableMachine machine({});
  const auto run = run_golden(machine, model.bytes, model.block, {});
  ASSERT_TRUE(run);
  ASSERT_TRUE(run->fault);
  EXPECT_EQ(run->fault->frame, 0U);
  EXPECT_EQ(run->frames.size(), 1U);
  EXPECT_EQ(run->fault->line, "SK1[1] after 21161 vertices: Invalid read from 0xe0040000, PC = 0x80523ec4");
}

TEST(GoldenRun, HashesTellTheThreePartsApart) {
  const Model model = model_of("plain-body");
  FrameHasher hash(model.block);
  const FrameHash original = hash(model.bytes);
  const auto changed = [&](std::uint32_t at) {
    auto bytes = model.bytes;
    bytes[at] ^= 1;
    const FrameHash now = hash(bytes);
    return std::string(now.positions != original.positions ? "p" : "") +
           (now.gpl != original.gpl ? "g" : "") + (now.rest != original.rest ? "r" : "");
  };
  const Piece positions = stored_positions(model.block);
  EXPECT_EQ(positions.size(), model.block.gpl->submeshes[0].layout->position->header.count * 12U);
  EXPECT_EQ(changed(positions.begin), "p");
  EXPECT_EQ(changed(positions.end - 1), "p");
  EXPECT_EQ(changed(positions.begin - 1), "g");
  EXPECT_EQ(changed(positions.end), "g");
  EXPECT_EQ(changed(model.block.gpl->at), "g");
  EXPECT_EQ(changed(model.block.gpl->at - 1), "r");
  EXPECT_EQ(changed(model.block.gpl->at + model.block.gpl->size), "r");
  EXPECT_EQ(changed(model.block.size - 1), "r");
}

TEST(GoldenCompare, NamesTheFirstFrameAndTheParts) {
  const GoldenFrames recorded{{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, {}};
  EXPECT_FALSE(first_mismatch(recorded, recorded));
  GoldenFrames now = recorded;
  now.frames[1].rest = 9;
  now.frames[2].positions = now.frames[2].gpl = 9;
  EXPECT_EQ(first_mismatch(recorded, now)->frame, 1U);
  EXPECT_EQ(parts_text(*first_mismatch(recorded, now)), "rest");
  EXPECT_EQ(first_mismatch(recorded, now, true)->frame, 2U);
  EXPECT_EQ(parts_text(*first_mismatch(recorded, now, true)), "positions, GPL");
  now = recorded;
  now.frames.pop_back();
  EXPECT_FALSE(first_mismatch(recorded, now));
  EXPECT_EQ(ending_differences(recorded, now), std::vector<std::string>{"had 3 frames, has now 2"});
  now.fault = GoldenFault{1, "a line"};
  EXPECT_EQ(ending_differences(recorded, now).back(), "fault: was none; is now frame 1, a line");
}

TEST(GoldenCompare, NamesSlotByteAndAuthor) {
  const Model model = model_of("plain-body");
  ReusableMachine machine({});
  const Piece positions = stored_positions(model.block);
  const auto look = [&](std::uint32_t, const emu::Machine& m) {
    const std::vector<std::uint8_t> now(m.block().begin(), m.block().end());
    EXPECT_FALSE(first_difference({model.bytes, now}, {model.bytes, now}));
    auto recorded = now;
    recorded[positions.begin + 12 * 2 + 5] ^= 1;  // slot 2, low byte of z
    recorded[0] ^= 1;
    const auto difference = first_difference({model.bytes, recorded}, {model.bytes, now});
    EXPECT_TRUE(difference);
    if (!difference) return false;
    const auto z = load_be<std::int16_t>(now.data() + positions.begin + 28);
    EXPECT_EQ(
        difference->text, "slot 2, byte " +
                              [&] {
                                char text[16];
                                std::snprintf(text, sizeof text, "%#x", positions.begin + 29);
                                return std::string(text);
                              }() +
                              ": z was " + std::to_string(z ^ 1) + ", is now " + std::to_string(z));
    EXPECT_EQ(author_text(m, *difference), "written by SK1[0] write-back");
    const auto header = first_difference({model.bytes, now}, {model.bytes, model.bytes});
    EXPECT_TRUE(header);
    return false;
  };
  PoseSource poses;
  EXPECT_TRUE(run_golden(machine, model.bytes, model.block, poses, look));
}

TEST(GoldenCompare, OutsideThePositionsTheStructureIsNamed) {
  const Model model = model_of("plain-body");
  auto other = model.bytes;
  other[4] ^= 0x80;
  auto difference = first_difference({model.bytes, other}, {model.bytes, model.bytes});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->text, "byte 0x4 (block header) was 0x80, is now 0x00");
  other = model.bytes;
  other.push_back(0);
  difference = first_difference({other, other}, {model.bytes, model.bytes});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->text.substr(0, 13), "the block had");
}

}  // namespace
}  // namespace lockline::harness
