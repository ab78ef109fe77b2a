#include "formats/quantization.hpp"

#include <map>

#include "support.hpp"

namespace lockline::tests {
namespace {

TEST(Quantization, EveryFormatNibble) {
  const std::map<int, ComponentType> known{{0x0, ComponentType::s16}, {0x2, ComponentType::u16},
                                           {0x3, ComponentType::s16}, {0x4, ComponentType::f32},
                                           {0x7, ComponentType::f32}, {0xA, ComponentType::f32}};
  for (int format = 0; format < 16; ++format) {
    for (const int shift : {0, 11, 15}) {
      const Quantization q{static_cast<std::uint8_t>(format << 4 | shift)};
      EXPECT_EQ(q.format(), format);
      EXPECT_EQ(q.shift(), shift);
      const auto type = component_type(q, 0x1A4, "GPL / submesh 0 / position header");
      ASSERT_EQ(type.has_value(), known.contains(format)) << format;
      if (type) {
        EXPECT_EQ(*type, known.at(format));
      } else {
        EXPECT_EQ(type.error().code, ErrorCode::bad_value);
        EXPECT_EQ(type.error().offset, 0x1A4U);
        EXPECT_EQ(type.error().structure, "GPL / submesh 0 / position header");
      }
      const bool four_bytes = format == 4 || format == 7 || format == 0xA;
      EXPECT_EQ(seed_component_size(q.raw), four_bytes ? 4U : 2U);
    }
  }
}

TEST(Quantization, EveryColourNibble) {
  const std::array<std::uint32_t, 6> bytes{2, 3, 4, 2, 3, 4};
  for (std::uint32_t format = 0; format < 16; ++format) {
    const auto size = colour_size({static_cast<std::uint8_t>(format << 4)}, 0, "");
    ASSERT_EQ(size.has_value(), format < bytes.size()) << format;
    EXPECT_EQ(size.value_or(0), format < bytes.size() ? bytes[format] : 0);
  }
}

TEST(Quantization, ArraysFollowTheirFormat) {
  const std::size_t byte = 0x5C + 6;  // the quantization of submesh 0's position header
  for (int format = 0; format < 16; ++format) {
    Data data = vector_block("canonical_small");
    data[byte] = static_cast<std::uint8_t>(format << 4 | 11);
    const Block block = parsed(data);
    EXPECT_EQ(serialize(block), data);
    const Components& values = block.skinned_positions()->values;
    const bool f32 = format == 4 || format == 7 || format == 0xA, s16 = format == 0 || format == 3;
    EXPECT_EQ(std::holds_alternative<std::vector<float>>(values), f32) << format;
    EXPECT_EQ(std::holds_alternative<std::vector<std::int16_t>>(values), s16) << format;
    EXPECT_EQ(std::holds_alternative<std::vector<std::uint16_t>>(values), format == 2) << format;
    EXPECT_EQ(problem_at(block, "GPL / submesh 0 / position header") != nullptr, !f32 && !s16 && format != 2)
        << format;
    EXPECT_EQ(block.skinned_positions()->data_at, 0x80U);
  }
}

TEST(Quantization, ColoursFollowTheirFormat) {
  const std::size_t byte = 0x3C0 + 6;
  const auto colour = [&](int format) {
    Data data = vector_block("canonical_small");
    data[byte] = static_cast<std::uint8_t>(format << 4);
    for (std::uint8_t i = 0; i < 8; ++i) data[0x3C8 + i] = i;
    const Block block = parsed(data);
    EXPECT_EQ(serialize(block), data);
    EXPECT_EQ(problem_at(block, "GPL / submesh 0 / colour header") != nullptr, format > 5);
    return block.gpl->submeshes[0].layout->colour->packed;
  };
  using Packed = std::vector<std::uint32_t>;
  for (const int format : {0, 3}) EXPECT_EQ(colour(format), (Packed{0x0001, 0x0203}));
  for (const int format : {1, 4}) EXPECT_EQ(colour(format), (Packed{0x000102, 0x030405}));
  for (const int format : {2, 5}) EXPECT_EQ(colour(format), (Packed{0x00010203, 0x04050607}));
  for (const int format : {6, 15}) EXPECT_EQ(colour(format), Packed{});
}

}  // namespace
}  // namespace lockline::tests
