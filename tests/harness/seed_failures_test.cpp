#include <fmt/format.h>
#include <gtest/gtest.h>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/check.hpp"
#include "harness/intent.hpp"

/// The two in-game failures that the seed documents tell, made again through the face option.
namespace lockline::harness {
namespace {

struct Model {
  std::vector<std::uint8_t> bytes;
  Block block;
};

Model model(const char* recipe) {
  Model m{corpus::build_bytes(corpus::find(recipe).value()).value(), {}};
  m.block = parse_block(m.bytes).value();
  return m;
}

PoseSource rest_with(const char* script) {
  PoseSource source;
  source.random_poses = 0;
  source.faces = parse_face_script(script).value();
  return source;
}

const Finding* find(const CheckReport& report, std::string_view rule, std::string_view structure) {
  for (const Finding& f : report.findings)
    if (f.rule == rule && f.structure == structure) return &f;
  return nullptr;
}

void expect_says(const Finding* finding, std::initializer_list<const char*> parts) {
  ASSERT_NE(finding, nullptr);
  for (const char* part : parts) EXPECT_NE(finding->cause.find(part), std::string::npos) << finding->cause;
}

using Record = std::array<std::int16_t, 6>;

/// The neck strip of the Luigi recipe, SK2(50, 51).
const Sk2Entry& neck(const Model& luigi) {
  for (const Sk2Entry& e : luigi.block.skn->sk2)
    if (e.bone1 == 50 && e.bone2 == 51) return e;
  throw std::runtime_error("no neck");
}

/// What the neck's vertices are in the bind pose (weights of 256 in all, so each is its source) when the
/// facial records of pose `pose` land in the mirror, `early` bytes past where the entry reads: bytes moved by
/// hand, without the emulator.
std::vector<Record> neck_out_of_step(const Model& luigi, std::size_t pose) {
  const Sk2Entry& e = neck(luigi);
  const std::size_t reads = luigi.block.skn->at + e.source;
  const std::size_t mirror = luigi.block.skn->at + luigi.block.skn->sk1[0].source + e.destination;
  std::vector<std::uint8_t> bytes = luigi.bytes;
  for (const FacialObject& object : luigi.block.facial->objects) {
    const FacialAttribute& a = object.attributes[0];
    std::size_t record = 0;
    for (const FacialRun& run : a.runs) {
      for (std::size_t slot = run.first; slot < std::size_t{run.first} + run.length; ++slot, ++record) {
        const std::size_t at = mirror + slot * 12 - e.destination;
        for (std::size_t c = 0; c < 6; ++c) {
          const int sum = a.poses[0][record * 6 + c] + (pose == 0 ? 0 : a.poses[pose][record * 6 + c]);
          store_be(bytes.data() + at + 2 * c, static_cast<std::int16_t>(std::clamp(sum, -32768, 32767)));
        }
      }
    }
  }
  std::vector<Record> out(e.count);
  for (std::size_t k = 0; k < e.count; ++k)
    for (std::size_t c = 0; c < 6; ++c)
      out[k][c] = load_be<std::int16_t>(bytes.data() + reads + e.vertex_offset + k * 12 + 2 * c);
  return out;
}

/// The records as the author meant them.
std::vector<Record> neck_as_meant(const Model& luigi, std::size_t pose) {
  const Sk2Entry& e = neck(luigi);
  const std::size_t first = (e.destination + e.vertex_offset) / 12;
  std::vector<Record> out(e.count);
  for (std::size_t k = 0; k < e.count; ++k) out[k] = e.vertices[k];
  for (const FacialObject& object : luigi.block.facial->objects) {
    const FacialAttribute& a = object.attributes[0];
    std::size_t record = 0;
    for (const FacialRun& run : a.runs) {
      for (std::size_t slot = run.first; slot < std::size_t{run.first} + run.length; ++slot, ++record) {
        if (slot < first || slot >= first + e.count) continue;
        for (std::size_t c = 0; c < 6; ++c)
          out[slot - first][c] = static_cast<std::int16_t>(a.poses[0][record * 6 + c] +
                                                           (pose == 0 ? 0 : a.poses[pose][record * 6 + c]));
      }
    }
  }
  return out;
}

TEST(SeedFailures, LuigisNeckIsEightBytesOutOfStep) {
  const Model luigi = model("luigi-repacked");
  const Sk2Entry& e = neck(luigi);
  const std::uint32_t mirror = luigi.block.skn->sk1[0].source + e.destination;
  ASSERT_EQ((mirror - e.source) % 12, 8U) << "the seed's 8 bytes out of step into the neighbouring record";
  const std::uint32_t first = (e.destination + e.vertex_offset) / 12;

  auto machine = emu::Machine::load(luigi.bytes, luigi.block, {}).value();
  const PoseSource source = rest_with("1=2");
  auto poses = PoseStream::open(source, luigi.block).value();
  const Pose& pose = poses.pose(0);
  machine.frame(pose.matrices, &pose.faces);

  // Every one of the twelve vertices holds what the bytes moved by hand say.
  const auto held_now = neck_out_of_step(luigi, 2), meant = neck_as_meant(luigi, 2);
  int farthest = 0;
  std::vector<std::uint32_t> wrong;
  for (std::size_t k = 0; k < held_now.size(); ++k) {
    const std::uint8_t* held = machine.memory().cpu(
        machine.model().positions + (first + static_cast<std::uint32_t>(k)) * vertex_stride, vertex_stride);
    for (std::size_t c = 0; c < 6; ++c)
      EXPECT_NEAR(load_be<std::int16_t>(held + 2 * c), held_now[k][c], 1) << "vertex " << k;
    if (held_now[k] != meant[k]) wrong.push_back(static_cast<std::uint32_t>(k));
    for (std::size_t c = 0; c < 3; ++c) farthest = std::max(farthest, std::abs(held_now[k][c] - meant[k][c]));
  }
  EXPECT_EQ(ranges(wrong), "0-11");
  EXPECT_GT(farthest, 2048) << "a unit and more at 2^-11";

  CheckOptions options;
  options.poses = source;
  const CheckReport report = check(luigi.bytes, options).value();
  expect_says(
      find(report, "face.mirror", "facial / object 1 / attribute 0"),
      {"12 of its 356 records are written 32 bytes past where the skin reads them (2 records and 8 bytes)",
       "slots 2582-2593"});
  const Finding* stale =
      find(report, "run.stale", fmt::format("SKN / SK2[{}]", &e - luigi.block.skn->sk2.data()));
  expect_says(stale, {"12 of 12 vertices", ": 0-11 (slot 2582 on; the farthest is "});
  int said = 0;
  const std::size_t at = stale->cause.find(" raw steps");
  ASSERT_NE(at, std::string::npos);
  said = std::stoi(stale->cause.substr(stale->cause.rfind(' ', at - 1)));
  EXPECT_NEAR(said, farthest, 2) << "each side is truncated once";
}

TEST(SeedFailures, LuigisNeckIsRightOnTheMirror) {
  const Model luigi = model("luigi-shape");
  EXPECT_EQ(neck_out_of_step(luigi, 2), neck_as_meant(luigi, 2));
  CheckOptions options;
  options.poses = rest_with("1=2");
  const CheckReport report = check(luigi.bytes, options).value();
  for (const Finding& f : report.findings) EXPECT_EQ(f.severity, Severity::note) << f.cause;
}

TEST(SeedFailures, ARunListWithoutItsEndTakesCoordinatesForVertices) {
  const Model luigi = model("face-no-terminator");
  const FacialAttribute& a = luigi.block.facial->objects[0].attributes[0];
  ASSERT_FALSE(a.terminated);
  // The pair after the run list is pose 0's first two coordinates.
  const std::size_t past = a.runs_at + 4 * a.runs.size();
  ASSERT_EQ(past, a.pose_at(*luigi.block.facial, 0));
  const auto vertex = load_be<std::uint16_t>(luigi.bytes.data() + past),
             length = load_be<std::uint16_t>(luigi.bytes.data() + past + 2);
  ASSERT_NE(length, 0);

  auto machine = emu::Machine::load(luigi.bytes, luigi.block, {}).value();
  const PoseSource source = rest_with("0=1");
  auto poses = PoseStream::open(source, luigi.block).value();
  machine.frame(poses.pose(0).matrices, &poses.pose(0).faces);
  const std::uint32_t mirror = machine.model().block + luigi.block.skn->at + luigi.block.skn->sk1[0].source;
  std::size_t foreign = 0;
  for (std::uint32_t v = vertex; v < std::uint32_t{vertex} + length; ++v) {
    const emu::Write* writer = machine.trace().last_writer(mirror + v * 12, mirror + v * 12 + 12);
    foreign += writer != nullptr && writer->author.kind == emu::WriteKind::pose ? 1 : 0;
  }
  EXPECT_EQ(foreign, length) << "vertices " << vertex << " on";

  CheckOptions options;
  options.poses = source;
  const CheckReport report = check(luigi.bytes, options).value();
  const Finding* terminator = find(report, "face.terminator", "facial / object 0 / attribute 0 / runs");
  expect_says(terminator, {"does not end with a (0, 0) pair"});
  EXPECT_EQ(terminator->severity, Severity::crash);
  const Finding* overwrite = find(report, "run.overwrite", "facial / object 0");
  expect_says(overwrite, {"facial object 0 writes up to 0x", "past the block's end at 0x1b40"});
  EXPECT_EQ(overwrite->severity, Severity::crash);
}

}  // namespace
}  // namespace lockline::harness
