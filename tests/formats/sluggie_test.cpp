#include "formats/sluggie.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/random.hpp"

namespace lockline {
namespace {

// printf 'hello, sluggers' | base64; the zlib stream of it was packed by Python.
constexpr const char* plain = "aGVsbG8sIHNsdWdnZXJz";
constexpr const char* packed = "z:eJzLSM3JyddRKM4pTU9PLSoGAC1FBc0=";
const std::vector<std::uint8_t> hello = {'h', 'e', 'l', 'l', 'o', ',', ' ', 's',
                                         'l', 'u', 'g', 'g', 'e', 'r', 's'};

std::string file(const std::string& data) {
  return fmt::format(
      R"({{"SluggiesModel": {{"ModelOffset": "2A9F8000", "ModelLength": 64, "ChunkNumber": 12, "FileIndex": 1,
                          "DonorEntry": {{"Offset": "0x0", "Data": {}}}}}}})",
      data);
}

TEST(Sluggie, CarriesItsBlockInThreeWays) {
  for (const std::string& data :
       {fmt::format("\"{}\"", plain), fmt::format("\"{}\"", packed),
        std::string("[104,101,108,108,111,44,32,115,108,117,103,103,101,114,115]")}) {
    const auto sluggie = parse_sluggie(file(data));
    ASSERT_TRUE(sluggie) << to_string(sluggie.error());
    EXPECT_EQ(sluggie->donor, hello) << data;
    EXPECT_EQ(sluggie->offset, 0x2A9F8000U);
    EXPECT_EQ(sluggie->length, 64U);
    EXPECT_EQ(sluggie->chunk, 12U);
    EXPECT_EQ(sluggie->file, 1U);
  }
}

TEST(Sluggie, MayComeWithoutItsBlock) {
  const auto sluggie =
      parse_sluggie(R"({"SluggiesModel": {"ModelOffset": "0x100", "ModelLength": 32}})").value();
  EXPECT_FALSE(sluggie.donor);
  EXPECT_EQ(sluggie.offset, 0x100U);
}

TEST(Sluggie, DamageIsOneErrorWithItsPath) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "is not JSON"},
      {"[]", "is missing: this is no .sluggie file"},
      {R"({"SluggiesModel": 5})", "is missing"},
      {R"({"SluggiesModel": {"ModelOffset": "xyz"}})", "/SluggiesModel/ModelOffset"},
      {R"({"SluggiesModel": {"ModelLength": -1}})", "/SluggiesModel/ModelLength"},
      {R"({"SluggiesModel": {"DonorEntry": {}}})", "has no Data"},
      {file("\"a*b\""), "is no base64"},
      {file("\"z:aGVsbG8=\""), "is a damaged zlib stream"},
      {file("\"z:eJzLSM3Jydc=\""), "is a damaged zlib stream"},
      {file("[256]"), "has no byte value at 0"},
      {file("[1, \"a\"]"), "has no byte value at 1"},
      {file("7"), "must be base64 or a list"}};
  for (const auto& [text, reason] : cases) {
    const auto result = parse_sluggie(text);
    ASSERT_FALSE(result) << text;
    EXPECT_NE(to_string(result.error()).find(reason), std::string::npos) << to_string(result.error());
  }
}

TEST(Sluggie, SurvivesDamage) {
  SplitMix64 random(4);
  const std::string original = file(fmt::format("\"{}\"", packed));
  for (int i = 0; i < 3000; ++i) {
    std::string text = original;
    for (int k = 0; k < 3; ++k)
      text[random.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(random.below(128));
    parse_sluggie(text);
    parse_sluggie(text.substr(0, random.below(static_cast<std::uint32_t>(text.size()))));
  }
}

}  // namespace
}  // namespace lockline
