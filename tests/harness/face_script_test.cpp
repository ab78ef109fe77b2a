#include "harness/face_script.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "emu/machine.hpp"
#include "harness/poses.hpp"

namespace lockline::harness {
namespace {

Facial facial(std::vector<std::uint16_t> poses) {
  Facial f;
  for (const std::uint16_t count : poses) f.objects.emplace_back().pose_count = count;
  return f;
}

std::vector<float> weights(const std::string& script, std::uint32_t frame, std::size_t object = 0,
                           const std::vector<std::uint16_t>& poses = {4, 6}) {
  const auto parsed = parse_face_script(script);
  EXPECT_TRUE(parsed) << to_string(parsed.error());
  if (!parsed) return {};
  emu::FacialPoses faces;
  pose_faces(*parsed, facial(poses), frame, faces);
  EXPECT_EQ(faces.size(), poses.size());
  return faces[object].weights;
}

TEST(FaceScript, APoseHasTheWholeWeight) {
  EXPECT_EQ(weights("0=2", 5), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(weights("0=2", 5, 1), std::vector<float>{}) << "an object without a clause is at rest";
  EXPECT_EQ(weights(" 1 = 5 ", 0, 1), (std::vector<float>{0, 0, 0, 0, 0, 1}));
}

TEST(FaceScript, WeightsAddUpTheirPoses) {
  EXPECT_EQ(weights("1=0.5*2+0.25*3", 0, 1), (std::vector<float>{0, 0, 0.5F, 0.25F}));
  EXPECT_EQ(weights("1 = -1.5 * 1 + 1e1 * 2", 9, 1), (std::vector<float>{0, -1.5F, 10}));
}

TEST(FaceScript, TheLaterClauseCounts) {
  EXPECT_EQ(weights("*=1; 0=2", 0), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(weights("0=2; *=1", 0), (std::vector<float>{0, 1}));
}

TEST(FaceScript, EveryObjectTakesThePosesItHas) {
  EXPECT_EQ(weights("*=4", 0, 0), (std::vector<float>{0, 0, 0, 0}));
  EXPECT_EQ(weights("*=4", 0, 1), (std::vector<float>{0, 0, 0, 0, 1}));
  EXPECT_EQ(weights("*=65535", 0, 1).size(), 6U) << "not 65536 numbers per object";
}

TEST(FaceScript, ABlinkClosesForThreeFramesOfItsPeriod) {
  const std::vector<float> rest, half{0, 0.5F}, whole{0, 1};
  for (const std::uint32_t round : {0U, 4U, 400U}) {
    EXPECT_EQ(weights("0=blink:4", round), rest);
    EXPECT_EQ(weights("0=blink:4", round + 1), half);
    EXPECT_EQ(weights("0=blink:4", round + 2), whole);
    EXPECT_EQ(weights("0=blink:4", round + 3), half);
  }
  EXPECT_EQ(weights("0=blink", 90 + 2), whole);
  EXPECT_EQ(weights("0=blink", 89), rest);
  EXPECT_EQ(weights("0=blink:10,3", 12), (std::vector<float>{0, 0, 0, 1}));
  EXPECT_EQ(weights("*=blink", 2, 0, {1, 0}), rest) << "no pose to blink with";
}

TEST(FaceScript, TalkIsDeterministicAndKeepsToItsPoses) {
  std::vector<std::vector<float>> seen;
  bool objects_differ = false, seeds_differ = false;
  for (std::uint32_t frame = 0; frame < 400; ++frame) {
    const auto w = weights("*=talk:7", frame, 1);
    EXPECT_EQ(w, weights("*=talk:7", frame, 1));
    ASSERT_GE(w.size(), 2U);
    ASSERT_LE(w.size(), 6U);
    for (std::size_t p = 0; p + 1 < w.size(); ++p) EXPECT_EQ(w[p], 0);
    EXPECT_TRUE(w.back() > 0 && w.back() <= 1 && std::trunc(w.back() * 8) == w.back() * 8) << w.back();
    if (std::find(seen.begin(), seen.end(), w) == seen.end()) seen.push_back(w);
    objects_differ |= w.size() != weights("*=talk:7", frame, 0).size();
    seeds_differ |= w != weights("*=talk:8", frame, 1);
  }
  EXPECT_GT(seen.size(), 20U);
  EXPECT_TRUE(objects_differ);
  EXPECT_TRUE(seeds_differ);
  EXPECT_EQ(weights("*=talk", 3, 0, {1, 0}), std::vector<float>{}) << "nothing to say";
}

TEST(FaceScript, MistakesAreNamedWithTheirPlace) {
  const std::vector<std::pair<std::string, std::uint32_t>> cases = {{"", 0},
                                                                    {"x", 0},
                                                                    {"0", 1},
                                                                    {"0=", 2},
                                                                    {"0=2;", 4},
                                                                    {"0=2 1=3", 4},
                                                                    {"0=1.5", 5},
                                                                    {"0=-1", 4},
                                                                    {"0=65536", 7},
                                                                    {"0=0.5*", 6},
                                                                    {"0=0.5*2+3", 9},
                                                                    {"0=1001*1", 7},
                                                                    {"0=inf", 2},
                                                                    {"0=nan", 2},
                                                                    {"0=blink:3", 9},
                                                                    {"0=blink:", 8},
                                                                    {"0=blink:9,", 10},
                                                                    {"0=talk:x", 7},
                                                                    {"0=blinks", 7},
                                                                    {"70000=1", 0},
                                                                    {"-1=1", 0},
                                                                    {"0=talk:99999999999999999999", 7}};
  for (const auto& [script, offset] : cases) {
    const auto parsed = parse_face_script(script);
    ASSERT_FALSE(parsed) << script;
    EXPECT_EQ(parsed.error().code, ErrorCode::bad_value) << script;
    EXPECT_EQ(parsed.error().offset, offset) << script << ": " << parsed.error().message;
  }
}

TEST(FaceScript, NumbersMustFitTheModel) {
  Block block;
  block.facial = facial({4, 6});
  const auto result = [&](const char* script) { return fits(parse_face_script(script).value(), block); };
  EXPECT_TRUE(result("0=3; 1=blink:9,5; *=60; 1=0*5"));
  EXPECT_FALSE(result("0=4"));
  EXPECT_FALSE(result("1=0.5*6"));
  EXPECT_FALSE(result("0=blink:9,4"));
  EXPECT_FALSE(result("2=talk"));
  block.facial.reset();
  EXPECT_TRUE(result("*=blink"));
  EXPECT_FALSE(result("0=0"));
}

/// Where an attribute's records go, in block offsets, and how far apart they are: said here once more.
struct Target {
  std::size_t at, stride;
};
Target target_of(const Block& block, const FacialAttribute& a) {
  const std::size_t skn = block.skn ? block.skn->at : 0;
  if (a.kind == 0) return {skn + block.skn->acc[a.target].source, 12};
  const Layout& layout = *block.gpl->submeshes[a.target].layout;
  if (a.kind == 2) return {layout.lighting->data_at, 6};
  if (layout.position->header.components == 6) return {skn + block.skn->sk1[0].source, 12};
  return {layout.position->data_at, 6};
}

std::int16_t truncated(double v) {
  return static_cast<std::int16_t>(std::clamp(std::trunc(v), -32768.0, 32767.0));
}

/// Compares every facial target of the machine's block with pose 0 plus the weighted displacements; where two
/// objects move a vertex the later one counts. Gives the kinds met, and how many components moved.
struct Seen {
  std::vector<int> kinds;
  std::size_t moved = 0;
};
Seen expect_posed(const Block& block, Bytes bytes, const emu::FacialPoses& faces) {
  Seen seen;
  std::map<std::size_t, std::int16_t> expected;  // by block offset
  for (std::size_t o = 0; o < block.facial->objects.size(); ++o) {
    for (const FacialAttribute& a : block.facial->objects[o].attributes) {
      seen.kinds.push_back(a.kind);
      const Target target = target_of(block, a);
      std::size_t element = 0;
      for (const FacialRun& run : a.runs) {
        for (std::size_t v = run.first; v < std::size_t{run.first} + run.length; ++v) {
          for (std::size_t c = 0; c < a.components; ++c, ++element) {
            double sum = a.poses[0][element];
            for (std::size_t p = 1; p < faces[o].weights.size(); ++p)
              sum += double{faces[o].weights[p]} * a.poses[p][element];
            seen.moved += sum != a.poses[0][element] ? 1 : 0;
            expected[target.at + v * target.stride + 2 * c] = truncated(sum);
          }
        }
      }
    }
  }
  for (const auto& [at, value] : expected)
    EXPECT_EQ(load_be<std::int16_t>(bytes.data() + at), value) << "offset " << at;
  return seen;
}

Seen run_script(const char* recipe, const char* script, std::uint32_t frames) {
  const auto bytes = corpus::build_bytes(corpus::find(recipe).value()).value();
  const Block block = parse_block(bytes).value();
  PoseSource source;
  source.random_poses = frames - 1;
  source.faces = parse_face_script(script).value();
  auto poses = PoseStream::open(source, block).value();
  auto machine = emu::Machine::load(bytes, block, {}).value();
  Seen all;
  for (std::uint32_t f = 0; f < frames; ++f) {
    const Pose& pose = poses.pose(f);
    EXPECT_TRUE(machine.frame(pose.matrices, &pose.faces).faults.empty());
    const Seen seen = expect_posed(block, machine.block(), pose.faces);
    all.kinds = seen.kinds;
    all.moved += seen.moved;
  }
  return all;
}

TEST(FaceScript, MovesRigidPositionsAndNormals) {
  const Seen seen = run_script("mario-shape", "*=talk; 0=0.5*1+0.25*2", 6);
  EXPECT_NE(std::count(seen.kinds.begin(), seen.kinds.end(), 1), 0);
  EXPECT_NE(std::count(seen.kinds.begin(), seen.kinds.end(), 2), 0);
  EXPECT_GT(seen.moved, 1000U);
}

TEST(FaceScript, MovesTheSkinAndItsSupplements) {
  const Seen seen = run_script("face-supplement", "0=-0.75*3+1*1", 3);
  EXPECT_EQ(seen.kinds, (std::vector<int>{1, 0}));
  EXPECT_GT(seen.moved, 200U);
}

TEST(FaceScript, GoesToTheMirrorEvenWhereNobodyReadsIt) {
  const Seen seen = run_script("luigi-repacked", "1=2", 2);
  EXPECT_GT(seen.moved, 500U);
}

}  // namespace
}  // namespace lockline::harness
