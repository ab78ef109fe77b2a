#include <gtest/gtest.h>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "emu/machine.hpp"
#include "emu/regular_frame.hpp"
#include "harness/poses.hpp"

namespace lockline {
namespace {

std::vector<std::uint8_t> build(const std::string& name) {
  return corpus::find(name).and_then(corpus::build_bytes).value();
}

std::vector<std::uint8_t> copy(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

/// What a frame leaves behind: everything that can be observed.
struct After {
  std::vector<std::uint8_t> block, locked_cache;
  std::vector<emu::Write> writes;
  std::size_t faults = 0;
};

After after(emu::Machine& machine, const harness::Pose& pose) {
  const auto result = machine.frame(pose.matrices, &pose.faces);
  return {copy(machine.block()), copy(machine.memory().locked_cache()), machine.trace().writes(),
          result.faults.size()};
}

void expect_same(const After& a, const After& b, const std::string& where) {
  EXPECT_EQ(a.block, b.block) << where;
  EXPECT_EQ(a.locked_cache, b.locked_cache) << where;
  EXPECT_EQ(a.faults, b.faults) << where;
  ASSERT_EQ(a.writes.size(), b.writes.size()) << where;
  for (std::size_t i = 0; i < a.writes.size(); ++i) {
    EXPECT_EQ(a.writes[i].address, b.writes[i].address) << where << ", write " << i;
    EXPECT_EQ(a.writes[i].size, b.writes[i].size) << where << ", write " << i;
    EXPECT_EQ(a.writes[i].author, b.writes[i].author) << where << ", write " << i;
  }
}

emu::Machine load(Bytes bytes, const Block& block, emu::MachineOptions options, bool exact) {
  options.exact_path = exact;
  return emu::Machine::load(bytes, block, options).value();
}

bool regular(Bytes bytes, const Block& block, const emu::MachineOptions& options = {}) {
  auto machine = load(bytes, block, options, true);
  return emu::RegularFrame::plan(machine.memory(), machine.model(), options).has_value();
}

void compare_paths(const std::string& name, const emu::MachineOptions& options) {
  const auto bytes = build(name);
  const auto block = parse_block(bytes);
  if (!block || !block->skn || block->skinned_positions() == nullptr) return;
  emu::Machine fast = load(bytes, *block, options, false), exact = load(bytes, *block, options, true);
  for (std::uint32_t frame = 0; frame < 3; ++frame) {
    const harness::Pose pose = harness::random_pose(*block, 7, frame);
    expect_same(after(fast, pose), after(exact, pose), name + ", frame " + std::to_string(frame));
  }
}

TEST(FramePaths, LeaveTheSameBehindOnEveryBundledModel) {
  for (const corpus::Recipe& recipe : corpus::bundled()) compare_paths(recipe.name, {});
}

TEST(FramePaths, LeaveTheSameBehindInEveryMode) {
  for (const char* name : {"luigi-shape", "mario-shape", "acc-only", "memclr-over-sk2"}) {
    for (const emu::MemClr memclr : {emu::MemClr::dcbz, emu::MemClr::store}) {
      for (const emu::Pointers pointers : {emu::Pointers::offsets, emu::Pointers::addresses}) {
        for (const emu::Profile* profile : emu::profiles) {
          emu::MachineOptions options;
          options.profile = profile;
          options.memclr = memclr;
          options.pointers = pointers;
          compare_paths(name, options);
        }
      }
    }
  }
}

TEST(FramePaths, ModelsOfTheGamesShapeAreRegular) {
  for (const char* name : {"luigi-shape", "mario-shape", "acc-only"}) {
    const auto bytes = build(name);
    EXPECT_TRUE(regular(bytes, parse_block(bytes).value())) << name;
  }
}

/// Luigi's shape with one field of its tables changed.
class OneField : public testing::Test {
 protected:
  std::vector<std::uint8_t> bytes_ = build("luigi-shape");
  const Block clean_ = parse_block(bytes_).value();

  template <BigEndian T>
  bool regular_with(std::uint32_t at, T value) {
    auto changed = bytes_;
    store_be<T>(changed.data() + at, value);
    return regular(changed, parse_block(changed).value());
  }
};

TEST_F(OneField, OnBothSidesOfEachLimit) {
  const Skn& skn = *clean_.skn;
  const std::uint32_t sk1 = skn.sk1[1].at, sk2 = skn.sk2[0].at, acc = skn.acc[0].at;
  EXPECT_TRUE(regular_with<std::uint16_t>(sk1 + 0x3A, 2));
  EXPECT_FALSE(regular_with<std::uint16_t>(sk1 + 0x3A, 1));
  EXPECT_TRUE(regular_with<std::uint16_t>(sk1 + 0x3A, 682));  // 8 + 682 x 12 = 8192
  EXPECT_FALSE(regular_with<std::uint16_t>(sk1 + 0x3A, 683));
  EXPECT_TRUE(regular_with<std::uint8_t>(sk1 + 0x3C, 32));
  EXPECT_FALSE(regular_with<std::uint8_t>(sk1 + 0x3C, 33));
  EXPECT_FALSE(regular_with<std::uint32_t>(sk1 + 0x34, skn.sk1[1].destination + 4));
  EXPECT_FALSE(regular_with<std::uint32_t>(sk1 + 0x30, skn.sk1[1].source + 4));
  EXPECT_TRUE(regular_with<std::uint16_t>(sk2 + 0x70, 341));  // 4 + 341 x 12 = 4096
  EXPECT_FALSE(regular_with<std::uint16_t>(sk2 + 0x70, 342));
  EXPECT_TRUE(regular_with<std::uint16_t>(acc + 0x42, 341));
  EXPECT_FALSE(regular_with<std::uint16_t>(acc + 0x42, 342));
  EXPECT_FALSE(regular_with<std::uint16_t>(acc + 0x42, 0));
  EXPECT_FALSE(regular_with<std::uint32_t>(skn.at + 0x18, 0x40000000));  // memClr past the block
}

TEST_F(OneField, ATableOverwrittenBetweenFramesIsSeen) {
  emu::Machine fast = load(bytes_, clean_, {}, false), exact = load(bytes_, clean_, {}, true);
  const harness::Pose pose = harness::random_pose(clean_, 7, 1);
  expect_same(after(fast, pose), after(exact, pose), "as loaded");
  for (emu::Machine* machine : {&fast, &exact}) {
    std::uint8_t* count = machine->memory().cpu(machine->model().block + clean_.skn->sk1[2].at + 0x3A, 2);
    store_be<std::uint16_t>(count, 700);
  }
  expect_same(after(fast, pose), after(exact, pose), "with 700 vertices in SK1[2]");
}

TEST_F(OneField, AnIndexThatLeadsIntoTheTablesIsSeen) {
  emu::Machine fast = load(bytes_, clean_, {}, false), exact = load(bytes_, clean_, {}, true);
  const harness::Pose pose = harness::random_pose(clean_, 7, 1);
  for (emu::Machine* machine : {&fast, &exact}) {
    const std::uint32_t indices = clean_.skn->at + clean_.skn->acc[0].indices_pointer;
    store_be<std::uint16_t>(machine->memory().cpu(machine->model().block + indices, 2), 0x1500);
  }
  expect_same(after(fast, pose), after(exact, pose), "index 0x1500");
}

}  // namespace
}  // namespace lockline
