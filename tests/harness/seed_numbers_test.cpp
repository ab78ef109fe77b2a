#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/check.hpp"
#include "harness/slots.hpp"

/// The figures that the seeds state (end of rules.md), out of the recipes made after those models.
namespace lockline::harness {
namespace {

std::vector<std::uint8_t> bytes_of(const char* recipe) {
  return corpus::build_bytes(corpus::find(recipe).value()).value();
}

std::optional<Severity> worst_of(const char* recipe) {
  return worst(check(bytes_of(recipe), CheckOptions{}).value().findings);
}

bool above_note(const char* recipe) {
  return worst_of(recipe).value_or(Severity::note) != Severity::note;
}

TEST(SeedNumbers, MinimumAndMaximaOfVanillaAreClean) {
  for (const char* recipe : {"sk1-three", "sk1-8180", "sk2-4088"}) EXPECT_FALSE(above_note(recipe)) << recipe;
  for (const char* recipe : {"sk1-two", "sk1-8184", "sk2-4092"})
    EXPECT_EQ(worst_of(recipe), Severity::risk) << recipe;
}

TEST(SeedNumbers, LuigisSlots) {
  const auto bytes = bytes_of("luigi-shape");
  const Block block = parse_block(bytes).value();
  const SlotTable slots(block);
  const std::uint32_t count = block.skinned_positions()->header.count;
  EXPECT_EQ(count, 2808U);
  std::uint32_t unwritten = 0;
  for (std::uint32_t slot = 0; slot < count; ++slot) unwritten += slots.written(slot) ? 0 : 1;
  EXPECT_EQ(unwritten, 130U);
  EXPECT_EQ(slots.accumulation_only().size(), 40U);
}

/// Bytes past the stored positions that the first frame clears.
std::uint32_t cleared_past_end(emu::MemClr mode) {
  const auto bytes = bytes_of("memclr-past-end");
  const Block block = parse_block(bytes).value();
  emu::MachineOptions options;
  options.memclr = mode;
  auto machine = emu::Machine::load(bytes, block, options).value();
  PoseSource rest;
  auto poses = PoseStream::open(rest, block).value();
  machine.frame(poses.pose(0).matrices);
  std::uint32_t end = 0;
  for (const emu::Write& w : machine.trace().writes())
    if (w.author.step == emu::Step::memclr) end = std::max(end, w.address + w.size);
  return end - machine.model().positions - block.skinned_positions()->header.count * vertex_stride;
}

TEST(SeedNumbers, MemClrPastTheEnd) {
  const Block block = parse_block(bytes_of("memclr-past-end")).value();
  EXPECT_EQ(block.skn->memclr_pointer, 0x9624U);
  EXPECT_EQ(block.skn->memclr_size, 0x140U);
  EXPECT_EQ(block.skinned_positions()->header.count, 3228U);
  EXPECT_EQ(cleared_past_end(emu::MemClr::store), 0x14U);
  EXPECT_EQ(cleared_past_end(emu::MemClr::dcbz), 0x10U);
  EXPECT_FALSE(above_note("memclr-past-end"));
}

TEST(SeedNumbers, ScratchPastTheArrayIsReservedAndClean) {
  const auto bytes = bytes_of("scratch-past-array");
  const Block block = parse_block(bytes).value();
  const SlotTable slots(block);
  EXPECT_GT(slots.size(), block.skinned_positions()->header.count);
  EXPECT_FALSE(above_note("scratch-past-array"));
}

TEST(SeedNumbers, EveryRepairHasItsNumbers) {
  for (const corpus::Recipe& recipe : corpus::bundled()) {
    const auto report = check(corpus::build_bytes(recipe).value(), CheckOptions{});
    if (!report) continue;
    for (const Finding& f : report->findings) {
      if (f.rule == "face.packing") continue;  // its numbers are in the cause
      EXPECT_TRUE(
          std::any_of(f.fix.begin(), f.fix.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
          << recipe.name << ": " << f.rule << ": " << f.fix;
    }
  }
}

}  // namespace
}  // namespace lockline::harness
