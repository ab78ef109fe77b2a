#include <gtest/gtest.h>

#include "harness/intent.hpp"
#include "tests/support/frame_vector.hpp"

/// "What is wrong in them in the last frame" (tests/vectors/README.md), SKAcc supplements left aside.
namespace lockline::harness {
namespace {

std::string wrong_in_last_frame(const std::string& name) {
  const auto [bytes, block, palette] = tests::load_frame_vector(name);
  const Subject subject(bytes, block);
  emu::MachineOptions options;
  options.profile = &emu::dolphin_5;
  auto machine = emu::Machine::load(bytes, block, options).value();
  Intent intent(subject, options);
  Pose pose;
  for (std::uint32_t f = 0; f < palette.frames; ++f) {
    pose.matrices.assign(palette.frame(f).begin(), palette.frame(f).end());
    machine.frame(pose.matrices);
  }
  intent.frame(pose);
  std::string out;
  for (const WrongVertices& w : intent.compare(machine)) {
    if (w.step == emu::Step::skacc) continue;
    out += std::string(emu::name(w.step)) + "[" + std::to_string(w.entry) + "] " + ranges(w.vertices) + "; ";
  }
  return out;
}

struct Case {
  const char* name;
  const char* wrong;
};

class LastFrame : public testing::TestWithParam<Case> {};

TEST_P(LastFrame, HasTheWrongVerticesTheReferenceLists) {
  EXPECT_EQ(wrong_in_last_frame(GetParam().name), GetParam().wrong);
}

INSTANTIATE_TEST_SUITE_P(
    All, LastFrame,
    testing::Values(Case{"sk1_over_even", "SK1[1] 0-17; SK1[2] 682-699; SK1[3] 0-14; "},
                    Case{"sk1_over_odd", ""}, Case{"sk1_over_first", "SK1[0] 682-719; SK1[1] 0-37; "},
                    Case{"sk2_over", "SK2[1] 5-344; "},
                    Case{"sk2_over_twice", "SK2[0] 58-399; SK2[1] 18-699; "},
                    Case{"dest_misaligned4", "SK1[1] 0-8; "}, Case{"dest_misaligned12", "SK1[1] 29; "},
                    Case{"shared_line", "SK1[0] 8-9; "}, Case{"memclr_over_sk1", "SK1[0] 0-9; SK1[1] 0-4; "},
                    Case{"canonical_small", ""}, Case{"many_entries", ""}, Case{"sk1_max_vanilla", ""},
                    Case{"sk1_full_buffer", ""}, Case{"sk2_max_vanilla", ""}, Case{"sk2_full_buffer", ""},
                    Case{"sk1_count2", ""}, Case{"sk2_count2", ""}),
    [](const auto& test) { return test.param.name; });

/// Every vertex of every SK1 and SK2 entry.
std::string everything(const std::string& name) {
  const Block block = tests::load_frame_vector(name).block;
  std::string out;
  for (const DirectEntry& e : direct_entries(block))
    out += e.name() + " 0-" + std::to_string(e.count - 1) + "; ";
  return out;
}

TEST(LastFrame, HasEveryVertexWrongWhereTheReferenceSaysSo) {
  for (const char* name : {"position_misaligned", "quant_high_nibble"}) {
    EXPECT_EQ(wrong_in_last_frame(name), everything(name)) << name;
  }
  EXPECT_NE(wrong_in_last_frame("sk2_dest_misaligned24").find("SK2[0] 0-"), std::string::npos);
}

}  // namespace
}  // namespace lockline::harness
