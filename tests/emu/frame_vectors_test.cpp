#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emu/machine.hpp"
#include "tests/support/frame_vector.hpp"

/// The images and faults a real Dolphin left for whole frames (tests/vectors/README.md).
namespace lockline::emu {
namespace {

using Vector = tests::FrameVector;
using tests::folder_of;

/// As the program that made the vectors was set up.
MachineOptions vector_options() {
  MachineOptions options;
  options.profile = &dolphin_5;
  options.block_address = 0x80400000;
  options.routines = {.sk1 = 0x80523E0C, .sk2 = 0x80524024, .skacc = 0x80524244};
  return options;
}

std::string first_difference(Bytes actual, Bytes expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] != expected[i])
      return fmt::format("at {:#x}: {:02x}, Dolphin {:02x}", i, actual[i], expected[i]);
  }
  return "";
}

class FrameImages : public testing::TestWithParam<std::tuple<std::string, bool>> {};

TEST_P(FrameImages, EqualDolphins) {
  const auto& [name, exact] = GetParam();
  const Vector v = tests::load_frame_vector(name);
  const auto images = tests::read_file(folder_of(name) / (name + ".frames"));
  ASSERT_EQ(images.size(), v.bytes.size() * v.palette.frames);
  MachineOptions options = vector_options();
  options.exact_path = exact;
  auto machine = Machine::load(v.bytes, v.block, options);
  ASSERT_TRUE(machine) << to_string(machine.error());
  for (std::uint32_t f = 0; f < v.palette.frames; ++f) {
    const FrameResult result = machine->frame(v.palette.frame(f));
    EXPECT_TRUE(result.faults.empty());
    const Bytes expected = Bytes(images).subspan(f * v.bytes.size(), v.bytes.size());
    EXPECT_EQ(first_difference(machine->block(), expected), "") << "frame " << f;
  }
}

std::string image_test_name(const testing::TestParamInfo<std::tuple<std::string, bool>>& test) {
  return std::get<0>(test.param) + (std::get<1>(test.param) ? "_exact" : "_fast");
}
INSTANTIATE_TEST_SUITE_P(All, FrameImages,
                         testing::Combine(testing::ValuesIn(tests::stems("frames", ".frames")),
                                          testing::Bool()),
                         image_test_name);
INSTANTIATE_TEST_SUITE_P(Found, FrameImages,
                         testing::Combine(testing::ValuesIn(tests::stems("found", ".frames")),
                                          testing::Bool()),
                         image_test_name);

class FrameFaults : public testing::TestWithParam<std::string> {};

TEST_P(FrameFaults, AreDolphinsAddressesAndCounters) {
  const Vector v = tests::load_frame_vector(GetParam());
  const auto text = tests::read_file(tests::vectors() / "frames" / (GetParam() + ".fault"));
  MachineOptions options = vector_options();
  options.max_faults = 3;
  auto machine = Machine::load(v.bytes, v.block, options);
  ASSERT_TRUE(machine);
  const FrameResult result = machine->frame(v.palette.frame(0));
  EXPECT_TRUE(result.stopped);
  std::string lines;
  for (const Fault& fault : result.faults) lines += fault.dolphin_line_mapped() + "\n";
  EXPECT_EQ(lines, std::string(text.begin(), text.end()));
}

TEST_P(FrameFaults, StopAtTheFirstByDefault) {
  const Vector v = tests::load_frame_vector(GetParam());
  auto machine = Machine::load(v.bytes, v.block, vector_options());
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->frame(v.palette.frame(0)).faults.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, FrameFaults, testing::ValuesIn(tests::stems("frames", ".fault")),
                         [](const auto& test) { return test.param; });

TEST(FrameVectors, AreAllHere) {
  EXPECT_EQ(tests::stems("frames", ".frames").size(), 32U);
  EXPECT_EQ(tests::stems("frames", ".fault").size(), 8U);
}

TEST(FrameVectors, TheOneVertexEntryOfTheSeedPrintsItsLine) {
  const Vector v = tests::load_frame_vector("sk1_count1_third");
  auto machine = Machine::load(v.bytes, v.block, MachineOptions{});
  ASSERT_TRUE(machine);
  const FrameResult result = machine->frame(v.palette.frame(0));
  ASSERT_EQ(result.faults.size(), 1U);
  EXPECT_EQ(result.faults[0].dolphin_line(), "Invalid read from 0xe0040000, PC = 0x80523ec4");
}

/// A machine that ran something else before, then loads `v`, against a fresh one.
void expect_same_after_reload(const Vector& v, const Vector& before, const MachineOptions& options,
                              const std::string& name) {
  auto used = Machine::load(before.bytes, before.block, options);
  auto fresh = Machine::load(v.bytes, v.block, options);
  ASSERT_TRUE(used && fresh);
  used->frame(before.palette.frame(0));
  ASSERT_TRUE(used->reload(v.bytes, v.block));
  EXPECT_EQ(first_difference(used->block(), fresh->block()), "") << name;
  for (int i = 0; i < 2; ++i) {
    used->frame(v.palette.frame(0));
    fresh->frame(v.palette.frame(0));
    EXPECT_EQ(first_difference(used->block(), fresh->block()), "") << name;
    const Bytes a = used->memory().locked_cache(), b = fresh->memory().locked_cache();
    EXPECT_EQ(first_difference(a, b), "") << name;
  }
}

TEST(Machine, ReloadGivesTheFreshState) {
  std::vector<std::string> names = tests::stems("frames", ".block");
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const Pointers pointers : {Pointers::offsets, Pointers::addresses}) {
      MachineOptions options = vector_options();
      options.pointers = pointers;
      expect_same_after_reload(tests::load_frame_vector(names[i]),
                               tests::load_frame_vector(names[(i + 1) % names.size()]), options, names[i]);
    }
  }
}

}  // namespace
}  // namespace lockline::emu
