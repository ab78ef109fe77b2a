#include "support.hpp"

namespace lockline::tests {
namespace {

constexpr std::size_t skn_at = 0xAA0, sk1_at = skn_at + 0x24, act_at = 0x6A0;

/// canonical_small with one number changed; it must parse and come back.
template <class T>
Block with(std::size_t at, T value) {
  Data data = vector_block("canonical_small");
  poke(data, at, value);
  const auto block = parse_block(data);
  EXPECT_TRUE(block);
  if (!block) return {};
  EXPECT_EQ(serialize(*block), data);
  return *block;
}

TEST(Bounds, FilesThatAreNoBlock) {
  EXPECT_EQ(parse_block({}).error().code, ErrorCode::truncated);
  EXPECT_EQ(parse_block(Data(0x1F)).error().code, ErrorCode::truncated);
  EXPECT_EQ(parse_block(Data(0x20)).error().code, ErrorCode::missing);
  Data data = vector_block("canonical_small");
  const auto with_gpl = [&](std::uint32_t pointer) { return parse_block(poke(data, 4, pointer)); };
  EXPECT_EQ(with_gpl(0).error().code, ErrorCode::missing);
  EXPECT_EQ(with_gpl(0x24).error().code, ErrorCode::bad_magic);
  EXPECT_EQ(with_gpl(0xFFFFFFFF).error().code, ErrorCode::truncated);
  EXPECT_EQ(with_gpl(4320).error().code, ErrorCode::truncated);
  EXPECT_EQ(with_gpl(4320 - 0x13).error().code, ErrorCode::truncated);
  EXPECT_EQ(with_gpl(4320 - 0x14).error().code, ErrorCode::bad_magic);
}

TEST(Bounds, LargestBlock) {
  Data data = vector_block("canonical_small");
  data.resize(max_block_bytes);
  EXPECT_TRUE(parse_block(data));
  data.push_back(0);
  EXPECT_EQ(parse_block(data).error().code, ErrorCode::too_large);
}

TEST(Bounds, SectionPointersMayStandInAnyOrder) {
  Data data = vector_block("canonical_small");
  // ACT copied behind everything else: GPL, then SKN, then ACT.
  const auto end = static_cast<std::uint32_t>(data.size());
  const Data act(data.begin() + act_at, data.begin() + skn_at);
  data.insert(data.end(), act.begin(), act.end());
  poke(data, 8, end);
  const Block block = parsed(data);
  EXPECT_EQ(block.act->at, end);
  EXPECT_EQ(block.act->size, 0x400U);
  EXPECT_EQ(block.skn->size, end - skn_at);
  EXPECT_EQ(block.gpl->size, skn_at - 0x20);
  EXPECT_EQ(block.act->bones.size(), 12U);
  EXPECT_EQ(problems(block), "");
  EXPECT_EQ(serialize(block), data);
}

TEST(Bounds, EqualSectionPointers) {
  const Block block = with(0x1C, std::uint32_t{skn_at});  // ptr8 where SKN is
  EXPECT_EQ(block.ptr8->bytes.size(), block.size - skn_at);
  EXPECT_EQ(block.skn->size, block.size - skn_at);
  EXPECT_EQ(block.act->size, 0x400U);
}

TEST(Bounds, SectionPointerAtTheLastByteAndOnePast) {
  const Block last = with(0x14, std::uint32_t{4319});
  EXPECT_EQ(last.ptr6->bytes, Data{0});
  EXPECT_EQ(problems(last), "");
  for (const std::uint32_t pointer : {4320U, 0xFFFFFFFFU}) {
    const Block past = with(0x14, pointer);
    EXPECT_FALSE(past.ptr6);
    ASSERT_EQ(past.problems.size(), 1U);
    EXPECT_EQ(past.problems[0].code, ErrorCode::out_of_bounds);
    EXPECT_EQ(past.problems[0].structure, "block header");
  }
}

TEST(Bounds, SectionHeadersAtTheEnd) {
  EXPECT_EQ(with(0x10, std::uint32_t{4320 - 0x24}).skn->at, 4320U - 0x24U);
  const Block block = with(0x10, std::uint32_t{4320 - 0x23});
  EXPECT_FALSE(block.skn);
  EXPECT_EQ(problem_at(block, "SKN / header")->code, ErrorCode::truncated);
}

TEST(Bounds, BonesNeedTheirMagic) {
  const Block block = with(act_at, std::uint32_t{0x007B7961});
  EXPECT_FALSE(block.act);
  EXPECT_EQ(problem_at(block, "ACT / header")->code, ErrorCode::bad_magic);
}

TEST(Bounds, SourceArrayUpToTheEndAndOnePast) {
  const std::uint32_t bytes = 10 * vertex_stride;  // SK1[0] has 10 vertices, no prefix
  const auto source = static_cast<std::uint32_t>(4320 - skn_at - bytes);
  const Block fits = with(sk1_at + 0x30, source);
  EXPECT_EQ(fits.skn->sk1[0].vertices.size(), 10U);
  EXPECT_EQ(problems(fits), "");

  const Block past = with(sk1_at + 0x30, source + 1);
  EXPECT_TRUE(past.skn->sk1[0].vertices.empty());
  EXPECT_EQ(past.skn->sk1[0].source_at, 4320U - bytes + 1U);
  const Error* problem = problem_at(past, "SKN / SK1[0] / source");
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->code, ErrorCode::truncated);
  EXPECT_EQ(problem->offset, 4320U - bytes + 1U);
  EXPECT_EQ(past.problems.size(), 1U);
}

TEST(Bounds, PointersThatWrap) {
  // At + pointer overflows 32 bits to an offset inside the block: still outside.
  const Block block = with(sk1_at + 0x30, std::uint32_t{0xFFFFFFF0});
  EXPECT_TRUE(block.skn->sk1[0].vertices.empty());
  EXPECT_EQ(problem_at(block, "SKN / SK1[0] / source")->code, ErrorCode::out_of_bounds);
  EXPECT_EQ(problem_at(block, "SKN / SK1[0] / source")->offset, 0xFFFFFFFFU);
}

TEST(Bounds, LargestCounts) {
  const Block sk1 = with(skn_at, std::uint16_t{0xFFFF});
  EXPECT_EQ(sk1.skn->sk1_count, 0xFFFF);
  EXPECT_EQ(sk1.skn->sk1.size(), (4320 - sk1_at) / Sk1Entry::bytes);
  EXPECT_EQ(problem_at(sk1, "SKN / SK1[" + std::to_string(sk1.skn->sk1.size()) + "]")->code,
            ErrorCode::truncated);

  const Block vertices = with(sk1_at + 0x3A, std::uint16_t{0xFFFF});
  EXPECT_TRUE(vertices.skn->sk1[0].vertices.empty());
  EXPECT_FALSE(vertices.skn->sk1[1].vertices.empty());

  const Block flush = with(skn_at + 0x20, std::uint32_t{0xFFFFFFFF});
  EXPECT_TRUE(flush.skn->flush.empty());
  EXPECT_NE(problem_at(flush, "SKN / flush"), nullptr);

  const Block submeshes = with(0x2C, std::uint32_t{0xFFFFFFFF});
  EXPECT_GT(submeshes.gpl->submeshes.size(), 2U);
  EXPECT_LE(submeshes.gpl->submeshes.size(), (4320U - 0x34U) / 8U);
  EXPECT_EQ(submeshes.gpl->submeshes[1].name->text, "cap");
  EXPECT_EQ(size(submeshes.skinned_positions()->values), 68U * 6U);
  EXPECT_EQ(submeshes.skn->sk1.size(), 3U);

  const Block bones = with(act_at + 6, std::uint16_t{0xFFFF});
  EXPECT_EQ(bones.act->bones.size(), (4320U - act_at - 0x20U) / 0x1CU);

  const Block positions = with(0x5C + 4, std::uint16_t{0xFFFF});
  EXPECT_EQ(size(positions.skinned_positions()->values), 0U);
  EXPECT_NE(problem_at(positions, "GPL / submesh 0 / positions"), nullptr);
}

TEST(Bounds, ATableOfOneRowMoreThanFits) {
  const std::size_t room = (4320 - sk1_at) / Sk1Entry::bytes;
  EXPECT_EQ(
      problem_at(with(skn_at, static_cast<std::uint16_t>(room)), "SKN / SK1[" + std::to_string(room) + "]"),
      nullptr);
  EXPECT_NE(problem_at(with(skn_at, static_cast<std::uint16_t>(room + 1)),
                       "SKN / SK1[" + std::to_string(room) + "]"),
            nullptr);
}

TEST(Bounds, NullDataPointerWithElements) {
  const Block block = with(0x5C, std::uint32_t{0});
  EXPECT_EQ(problem_at(block, "GPL / submesh 0 / position header")->code, ErrorCode::missing);
  EXPECT_EQ(size(block.skinned_positions()->values), 0U);
}

TEST(Bounds, StringWithoutTerminator) {
  Data data = vector_block("canonical_small");
  data.insert(data.end(), {'a', 'b'});
  poke(data, act_at + 0x10, std::uint32_t{4320 - act_at});
  EXPECT_EQ(problem_at(parsed(data), "ACT / geo name")->code, ErrorCode::truncated);
  data.push_back(0);
  EXPECT_EQ(parsed(data).act->geo_name->text, "ab");
  EXPECT_TRUE(survives(data));
}

TEST(Bounds, SharedControls) {
  // Bone 1 uses bone 0's control.
  const Block block = with(act_at + 0x20 + 0x1C, std::uint32_t{0x170});
  EXPECT_EQ(block.act->controls.size(), 11U);
  EXPECT_EQ(block.act->control_of(block.act->bones[1]), block.act->control_of(block.act->bones[0]));
  const Block none = with(act_at + 0x20, std::uint32_t{0});
  EXPECT_EQ(none.act->control_of(none.act->bones[0]), nullptr);
  const Block wild = with(act_at + 0x20, std::uint32_t{0xFFFFFFFF});
  EXPECT_EQ(wild.act->control_of(wild.act->bones[0]), nullptr);
  EXPECT_EQ(problem_at(wild, "ACT / bone 0 / control")->code, ErrorCode::out_of_bounds);
}

/// Many submeshes that all use the layout of the first, whose position array is large.
Data overlapping_block(std::uint32_t submeshes) {
  Data data = vector_block("canonical_small");
  const auto end = static_cast<std::uint32_t>(data.size());
  poke(data, 0x2C, submeshes);
  poke(data, 0x30, end - 0x20);
  for (std::uint32_t i = 0; i < submeshes; ++i) poke(data, end + 8 * i, std::uint32_t{0x24});
  for (std::uint32_t i = 0; i < submeshes; ++i) poke(data, end + 8 * i + 4, std::uint32_t{0});
  poke(data, 0x5C, std::uint32_t{0x18});
  poke(data, 0x60, std::uint16_t{(4320 - 0x5C) / 12});
  return data;
}

TEST(Bounds, OverlappingArraysStopAtTheBudget) {
  const Data few = overlapping_block(8);
  EXPECT_EQ(problems(parsed(few)), "");
  const Data data = overlapping_block(3000);
  const Block block = parsed(data);
  EXPECT_GT(std::ranges::count(block.problems, ErrorCode::too_large, &Error::code), 0);
  // The other sections have their own.
  EXPECT_EQ(block.skn->sk1[0].vertices.size(), 10U);
  EXPECT_EQ(serialize(block), data);
}

TEST(Bounds, TheListOfProblemsIsBounded) {
  Data data = vector_block("canonical_small");
  const auto end = static_cast<std::uint32_t>(data.size());
  data.resize(end + 8 * 5000);  // 5000 submeshes without a layout
  poke(data, 0x2C, std::uint32_t{5000});
  poke(data, 0x30, end - 0x20);
  // Keep the decoded submeshes inside the budget.
  data.resize(data.size() + (8U << 20));
  const Block block = parsed(data);
  EXPECT_EQ(block.problems.size(), 1000U);
  EXPECT_EQ(block.problems.back().structure, "block header");
  EXPECT_EQ(block.gpl->submeshes.size(), 5000U);
}

}  // namespace
}  // namespace lockline::tests
