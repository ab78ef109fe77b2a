#include "formats/game.hpp"

#include <gtest/gtest.h>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "corpus/game.hpp"
#include "tests/support/mutation.hpp"

namespace lockline::tests {
namespace {

using Data = std::vector<std::uint8_t>;

const corpus::Game& game() {
  static const corpus::Game made = corpus::make_game().value();
  return made;
}

void put(Data& data, std::size_t at, std::uint32_t value) {
  store_be(data.data() + at, value);
}

TEST(Game, IndexHasWhatTheReferenceSays) {
  const GameIndex index = read_index(game().dol).value();
  EXPECT_EQ(index.directories.size(), 172U);
  EXPECT_TRUE(index.problems.empty());
  EXPECT_EQ(index.directories[0].files.size(), 6U);
  bool past_retail_end = false;
  for (const auto& d : index.directories)
    for (const auto& f : d.files) past_retail_end = past_retail_end || f[0].offset >= 715'046'144;
  EXPECT_TRUE(past_retail_end);
}

TEST(Game, AddressesGoThroughTheSectionTable) {
  const Dol dol = parse_dol(game().dol).value();
  ASSERT_EQ(dol.sections.size(), 1U);
  EXPECT_EQ(dol.offset_of(0x80004000, 4), 0x100U);
  EXPECT_EQ(dol.offset_of(0x80003FFF, 1), std::nullopt);
  const std::uint32_t end = 0x80004000 + dol.sections[0].size;
  EXPECT_EQ(dol.offset_of(end - 4, 4), dol.sections[0].offset + dol.sections[0].size - 4);
  EXPECT_EQ(dol.offset_of(end - 4, 5), std::nullopt);
}

TEST(Game, ARelocatedTableIsRead) {
  Data dol = game().dol;
  const DirectoryTable original;
  const auto at = static_cast<std::uint32_t>(dol.size());
  dol.insert(dol.end(), dol.begin() + original.begin, dol.begin() + original.end);
  std::fill(dol.begin() + original.begin, dol.begin() + original.end, 0);
  EXPECT_FALSE(read_index(dol));
  const DirectoryTable moved{at, at + (original.end - original.begin), original.name_pointer};
  EXPECT_EQ(read_index(dol, moved).value().directories.size(), 172U);
}

TEST(Game, ForeignAndDamagedExecutablesGiveOneError) {
  EXPECT_NE(read_index(Data(0xFF)).error().message.find("256 bytes of header"), std::string::npos);
  EXPECT_FALSE(read_index(Data(0x100)));
  Data dol = game().dol;
  put(dol, 0x90, 0x7FFFFFFF);
  EXPECT_NE(read_index(dol).error().message.find("leaves the file"), std::string::npos);
  EXPECT_NE(read_index(game().dol, {0x100, 0x200, 0x12345678}).error().message.find("0x12345678"),
            std::string::npos);
  EXPECT_FALSE(read_index(game().dol, {0x69C828, 0x7FFFFFF0, 0}));
}

TEST(Game, OneBadDirectoryCostsOnlyItself) {
  Data dol = game().dol;
  put(dol, 0x69C828 + 4 * 7, 0x10);
  const GameIndex index = read_index(dol).value();
  ASSERT_EQ(index.problems.size(), 1U);
  EXPECT_EQ(index.problems[0].structure, "directory 7");
  EXPECT_TRUE(index.directories[7].files.empty());
  EXPECT_FALSE(index.directories[8].files.empty());
}

TEST(Game, KindsAreToldApart) {
  const Data model = corpus::build_bytes(corpus::find("plain-body").value()).value();
  EXPECT_EQ(kind_of(model), GameFileKind::model);
  EXPECT_EQ(kind_of(corpus::build_bytes(corpus::find("header-first-word").value()).value()),
            GameFileKind::model);
  EXPECT_EQ(kind_of(Data(64)), GameFileKind::other);
  EXPECT_EQ(kind_of(Data(7)), GameFileKind::other);
  Data archive(64 + model.size());
  put(archive, 0, 2);
  put(archive, 8, 64);
  EXPECT_EQ(kind_of(archive), GameFileKind::archive);
}

TEST(Archive, MembersAscendOnLines) {
  Data archive(160);
  put(archive, 0, 3);
  put(archive, 4, 32);
  put(archive, 12, 96);
  const auto members = parse_archive(archive).value();
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[0].number, 0U);
  EXPECT_EQ(members[0].end, 96U);
  EXPECT_EQ(members[1].number, 2U);
  EXPECT_EQ(members[1].end, 160U);
  for (const auto& [at, value] :
       {std::pair(12U, 33U), {12U, 32U}, {12U, 160U}, {4U, 8U}, {0U, 0U}, {0U, 4097U}, {0U, 40U}}) {
    Data bad = archive;
    put(bad, at, value);
    EXPECT_FALSE(parse_archive(bad)) << at << " = " << value;
  }
}

TEST(Game, SurvivesDamage) {
  SplitMix64 random(3);
  Data dol = game().dol;
  for (int i = 0; i < 300; ++i) {
    Data damaged = dol;
    for (int k = 0; k < 4; ++k) {
      const std::size_t at =
          random.below(2) == 0 ? random.below(0x40) * 4 : 0x69C828 + random.below(0x200) * 4;
      put(damaged, at, static_cast<std::uint32_t>(random.next()));
    }
    const auto index = read_index(damaged);
    if (!index) {
      EXPECT_FALSE(index.error().message.empty());
    }
  }
  for (int i = 0; i < 5000; ++i) {
    Data noise(4 + random.below(200));
    for (auto& byte : noise) byte = static_cast<std::uint8_t>(random.below(4));
    kind_of(noise);
    const auto members = parse_archive(noise);
    if (!members) continue;
    for (const ArchiveMember& m : *members) {
      EXPECT_LT(m.begin, m.end);
      EXPECT_LE(m.end, noise.size());
    }
  }
}

}  // namespace
}  // namespace lockline::tests
