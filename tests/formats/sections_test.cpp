#include "formats/structure_map.hpp"
#include "support.hpp"

// Parts that no vector block has: user data and textures. Laid out by hand from formats.md.

namespace lockline::tests {
namespace {

constexpr std::uint32_t act_at = 0x6A0, end = 4320;

/// canonical_small with `bytes` behind it as user data of the ACT.
Data with_user_data(const Data& bytes) {
  Data data = vector_block("canonical_small");
  data.insert(data.end(), bytes.begin(), bytes.end());
  poke(data, act_at + 0x18, static_cast<std::uint32_t>(bytes.size()));
  return poke(data, act_at + 0x1C, end - act_at);
}

void descriptor(Data& bytes, std::size_t at, std::uint32_t size, std::uint16_t kind, std::uint16_t count) {
  poke(bytes, at, size);
  poke(bytes, at + 4, kind);
  poke(bytes, at + 6, count);
  poke(bytes, at + 8, static_cast<std::uint32_t>(end - act_at + at + 12));
}

TEST(UserData, EveryKind) {
  Data bytes;
  descriptor(bytes, 0, 18, 3, 3);  // track ids
  poke(bytes, 12, std::uint16_t{7});
  poke(bytes, 14, std::uint16_t{0xFFFF});
  poke(bytes, 16, std::uint16_t{1});
  descriptor(bytes, 18, 16, 2, 2);  // mirror table
  for (std::uint8_t i = 0; i < 4; ++i) poke(bytes, 30 + i, i);
  descriptor(bytes, 34, 15, 9, 77);  // unknown: size says how many bytes
  for (std::uint8_t i = 0; i < 3; ++i) poke(bytes, 46 + i, static_cast<std::uint8_t>(i + 5));
  const Data data = with_user_data(bytes);
  const Block block = parsed(data);
  EXPECT_EQ(problems(block), "");
  EXPECT_EQ(serialize(block), data);
  ASSERT_EQ(block.act->user_data.size(), 3U);
  EXPECT_EQ(std::get<std::vector<std::uint16_t>>(block.act->user_data[0].data),
            (std::vector<std::uint16_t>{7, 0xFFFF, 1}));
  const auto& roles = std::get<std::vector<MirrorRole>>(block.act->user_data[1].data);
  ASSERT_EQ(roles.size(), 2U);
  EXPECT_EQ(roles[1].bone, 2);
  EXPECT_EQ(roles[1].role, 3);
  EXPECT_EQ(std::get<Data>(block.act->user_data[2].data), (Data{5, 6, 7}));
  EXPECT_EQ(StructureMap(block).describe(end + 30, end + 31), "ACT / user data 1 / content");
  EXPECT_EQ(StructureMap(block).describe(end + 18, end + 19), "ACT / user data 1");
}

TEST(UserData, ChainsThatDoNotAdvance) {
  for (const std::uint32_t size : {0U, 1U, 11U}) {
    Data bytes;
    descriptor(bytes, 0, size, 3, 2);
    bytes.resize(64);
    const Data data = with_user_data(bytes);
    const Block block = parsed(data);
    EXPECT_EQ(problem_at(block, "ACT / user data 0")->code,
              size == 0 ? ErrorCode::cycle : ErrorCode::bad_value);
    EXPECT_EQ(block.act->user_data.size(), 1U);
    EXPECT_EQ(serialize(block), data);
  }
  Data bytes;
  descriptor(bytes, 0, 12, 9, 0);
  EXPECT_EQ(problems(parsed(with_user_data(bytes))), "");
}

TEST(UserData, PaddingBehindTheChain) {
  Data bytes;
  descriptor(bytes, 0, 14, 3, 1);
  bytes.resize(32);
  const Block block = parsed(with_user_data(bytes));
  EXPECT_EQ(problems(block), "");
  EXPECT_EQ(block.act->user_data.size(), 1U);
}

TEST(UserData, ChainThatLeavesTheBlock) {
  Data bytes;
  descriptor(bytes, 0, 32, 3, 1);
  bytes.resize(32);
  Data data = with_user_data(bytes);
  poke(data, act_at + 0x18, std::uint32_t{0xFFFFFFFF});
  EXPECT_EQ(problem_at(parsed(data), "ACT / user data 1")->code, ErrorCode::out_of_bounds);
  EXPECT_TRUE(survives(data));
}

Data with_textures(std::uint32_t magic, std::uint32_t count) {
  Data bytes;
  poke(bytes, 0, magic);
  poke(bytes, 4, count);
  poke(bytes, 8, std::uint32_t{12});
  poke(bytes, 12, std::uint32_t{0x20});  // image header of texture 0
  poke(bytes, 16, std::uint32_t{0x44});
  poke(bytes, 20, std::uint32_t{0});  // texture 1 has none
  poke(bytes, 24, std::uint32_t{0});
  poke(bytes, 0x20, std::uint16_t{64});
  poke(bytes, 0x22, std::uint16_t{128});
  poke(bytes, 0x24, std::uint32_t{14});
  poke(bytes, 0x28, std::uint32_t{0x60});
  bytes.resize(0x80);
  Data data = vector_block("canonical_small");
  data.insert(data.end(), bytes.begin(), bytes.end());
  return poke(data, 0x0C, end);
}

TEST(Textures, Descriptors) {
  const Data data = with_textures(0x0020AF30, 2);
  const Block block = parsed(data);
  EXPECT_EQ(problems(block), "");
  EXPECT_EQ(serialize(block), data);
  EXPECT_EQ(block.tex->content.bytes.size(), 0x80U);
  ASSERT_EQ(block.tex->descriptors.size(), 2U);
  const TextureDescriptor& texture = block.tex->descriptors[0];
  EXPECT_EQ(texture.at, end + 12);
  EXPECT_EQ(texture.palette_pointer, 0x44U);
  EXPECT_EQ(texture.height, 64);
  EXPECT_EQ(texture.width, 128);
  EXPECT_EQ(texture.format, 14U);
  EXPECT_EQ(texture.data_pointer, 0x60U);
  EXPECT_EQ(block.tex->descriptors[1].width, 0);
  EXPECT_EQ(StructureMap(block).describe(end, end + 0x80), "TEX");
}

TEST(Textures, OtherContentIsKeptAsBytes) {
  const Data data = with_textures(0x0020AF31, 2);
  EXPECT_TRUE(parsed(data).tex->descriptors.empty());
  EXPECT_EQ(problems(parsed(data)), "");
  EXPECT_TRUE(survives(data));
}

TEST(Textures, WildCountAndPointers) {
  const Data data = with_textures(0x0020AF30, 0xFFFFFFFF);
  EXPECT_EQ(parsed(data).tex->descriptors.size(), (0x80U - 12U) / 8U);
  EXPECT_TRUE(survives(data));
  Data wild = with_textures(0x0020AF30, 2);
  poke(wild, end + 12, std::uint32_t{0x80 - 11});
  EXPECT_EQ(problem_at(parsed(wild), "TEX / texture 0")->code, ErrorCode::truncated);
  EXPECT_EQ(parsed(wild).tex->descriptors.size(), 2U);
}

TEST(Errors, AreShownWithOffsetStructureAndSentence) {
  EXPECT_EQ(to_string({ErrorCode::truncated, 0x1A4, "SKN / SK1[0]", "message"}),
            "0x0001a4: SKN / SK1[0]: message");
  EXPECT_EQ(to_string({ErrorCode::truncated, 0xFFFFFFFF, "gap", "m"}), "0xffffffff: gap: m");
  EXPECT_EQ(name(ErrorCode::bad_magic), "bad-magic");
  EXPECT_EQ(name(ErrorCode::out_of_bounds), "out-of-bounds");
  EXPECT_EQ(name(ErrorCode::missing), "missing");
}

}  // namespace
}  // namespace lockline::tests
