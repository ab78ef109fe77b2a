#include "harness/ram.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "emu/relocate.hpp"
#include "harness/poses.hpp"
#include "tests/support/frame_vector.hpp"
#include "tests/support/mutation.hpp"

namespace lockline::harness {
namespace {

using Memory = std::vector<std::uint8_t>;

struct Loaded {
  Memory bytes;
  Block block;

  explicit Loaded(Memory b) : bytes(std::move(b)), block(parse_block(bytes).value()) {}
};

Loaded bundled(const char* recipe) {
  return Loaded(corpus::build_bytes(corpus::find(recipe).value()).value());
}

Memory relocated(Memory image, const Block& block, std::uint32_t address) {
  emu::relocate(image, block, address);
  return image;
}

emu::MachineOptions dolphin_5_options() {
  emu::MachineOptions options;
  options.profile = &emu::dolphin_5;
  return options;
}

/// The block's bytes in the game's memory after `frames` frames of one pose.
Memory played(const Loaded& loaded, std::uint32_t address, const Pose& pose, int frames = 1) {
  emu::MachineOptions options;
  options.block_address = address;
  options.pointers = emu::Pointers::addresses;
  auto machine = emu::Machine::load(loaded.bytes, loaded.block, options);
  for (int f = 0; f < frames; ++f) machine->frame(pose.matrices, &pose.faces);
  return {machine->block().begin(), machine->block().end()};
}

/// 24 MB with an image at an address.
Memory dump_with(const Memory& image, std::uint32_t address) {
  Memory dump(emu::mem1_bytes);
  std::copy(image.begin(), image.end(), dump.begin() + (address - emu::mem1_address));
  return dump;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return std::memcmp(a.data(), b.data(), sizeof a) == 0;
}

std::set<std::uint32_t> used_bones(const Block& block) {
  std::set<std::uint32_t> out;
  for (const Sk1Entry& e : block.skn->sk1) out.insert(e.bone);
  for (const Sk2Entry& e : block.skn->sk2) out.insert({e.bone1, e.bone2});
  for (const SkAccEntry& e : block.skn->acc) out.insert(e.bone);
  return out;
}

Memory image_of(const tests::FrameVector& v, const Memory& images, std::uint32_t frame) {
  const auto begin = images.begin() + static_cast<std::ptrdiff_t>(frame * v.bytes.size());
  return {begin, begin + static_cast<std::ptrdiff_t>(v.bytes.size())};
}

/// Whether a frame left every pointer of the file alone, so that relocation makes of the image what the
/// game's memory would hold.
bool pointers_are_whole(const tests::FrameVector& v, const Memory& image) {
  const Memory moved = relocated(v.bytes, v.block, 0x80C00000);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (moved[i] != v.bytes[i] && image[i] != v.bytes[i]) return false;
  }
  return true;
}

TEST(Ram, DolphinsImagesGiveBackTheirPalettes) {
  std::size_t matrices = 0;
  for (const std::string& name : tests::stems("frames", ".frames")) {
    const tests::FrameVector v = tests::load_frame_vector(name);
    const Memory images = tests::read_file(tests::vectors() / "frames" / (name + ".frames"));
    const std::set<std::uint32_t> used = used_bones(v.block);
    for (std::uint32_t f = 0; f < v.palette.frames; ++f) {
      const auto recovered = recover_palette(v.block, image_of(v, images, f));
      ASSERT_TRUE(recovered) << name;
      EXPECT_TRUE(recovered->conflicts.empty()) << name;
      for (const std::uint32_t bone : used) {
        EXPECT_TRUE(same_bits(recovered->palette.frame(0)[bone], v.palette.frame(f)[bone]))
            << name << " bone " << bone;
        ++matrices;
      }
      EXPECT_EQ(recovered->unknown.size() + used.size(), recovered->palette.bones) << name;
    }
  }
  EXPECT_GT(matrices, 200U);
}

TEST(Ram, DolphinsFirstFramesAreTheEmulation) {
  std::size_t compared = 0;
  for (const std::string& name : tests::stems("frames", ".frames")) {
    const tests::FrameVector v = tests::load_frame_vector(name);
    const Memory image = image_of(v, tests::read_file(tests::vectors() / "frames" / (name + ".frames")), 0);
    if (!pointers_are_whole(v, image)) continue;
    const std::uint32_t address = 0x80400000;
    const auto comparison =
        compare_ram(v.bytes, v.block, relocated(image, v.block, address), address, dolphin_5_options());
    ASSERT_TRUE(comparison) << name;
    EXPECT_EQ(comparison->bytes, 0U) << name << ": " << comparison->differences.front().structure;
    ++compared;
  }
  EXPECT_GE(compared, 28U);
}

TEST(Ram, DolphinsLaterFramesOfCleanLayoutsToo) {
  for (const std::string name : {"canonical_small", "canonical_acconly", "many_entries"}) {
    const tests::FrameVector v = tests::load_frame_vector(name);
    const Memory images = tests::read_file(tests::vectors() / "frames" / (name + ".frames"));
    for (std::uint32_t f = 1; f < v.palette.frames; ++f) {
      const Memory image = relocated(image_of(v, images, f), v.block, 0x80400000);
      EXPECT_EQ(compare_ram(v.bytes, v.block, image, 0x80400000, dolphin_5_options())->bytes, 0U)
          << name << f;
    }
  }
}

TEST(Ram, WhateverFaceTheGameShowed) {
  for (const char* recipe : {"face-body", "face-supplement", "luigi-shape"}) {
    const Loaded loaded = bundled(recipe);
    for (const std::uint32_t number : {1U, 2U}) {
      const Memory image = played(loaded, 0x80C00000, random_pose(loaded.block, 5, number), 2);
      const auto comparison = compare_ram(loaded.bytes, loaded.block, image, 0x80C00000, {});
      EXPECT_EQ(comparison->bytes, 0U) << recipe << ": " << comparison->differences.front().structure;
      EXPECT_EQ(comparison->from_dump > 0, loaded.block.facial.has_value()) << recipe;
    }
  }
}

TEST(Ram, FieldsThatTheFacialLoaderFillsAreNotCompared) {
  const Loaded loaded = bundled("face-body");
  Memory image = played(loaded, 0x80C00000, rest_pose(loaded.block));
  const std::uint32_t type = loaded.block.facial->types.at(0).at;
  store_be<std::uint32_t>(image.data() + type + 8, 0x80C01234);
  EXPECT_EQ(compare_ram(loaded.bytes, loaded.block, image, 0x80C00000, {})->bytes, 0U);
  image[type + 7] ^= 1;
  image[type + 12] ^= 1;
  EXPECT_EQ(compare_ram(loaded.bytes, loaded.block, image, 0x80C00000, {})->bytes, 2U);
}

TEST(Ram, DifferencesNameStructureBytesAndAuthor) {
  const Loaded loaded = bundled("small-body");
  Memory image = played(loaded, 0x80C00000, random_pose(loaded.block, 5, 1));
  const std::uint32_t positions = loaded.block.skinned_positions()->data_at;
  const std::uint32_t vertex =
      positions + loaded.block.skn->sk1[0].destination + loaded.block.skn->sk1[0].vertex_offset;
  const std::uint32_t colours = loaded.block.gpl->submeshes[0].layout->colour->data_at;
  const Memory before = image;
  for (const std::uint32_t at : {vertex, vertex + 2, colours})
    image[at] = static_cast<std::uint8_t>(~image[at]);
  const auto c = compare_ram(loaded.bytes, loaded.block, image, 0x80C00000, {});
  EXPECT_EQ(c->bytes, 3U);
  ASSERT_EQ(c->differences.size(), 2U);
  EXPECT_EQ(c->differences[0].structure, "GPL / submesh 0 / positions");
  EXPECT_EQ(c->differences[0].bytes, 2U);
  EXPECT_EQ(c->differences[0].first, vertex);
  EXPECT_EQ(c->differences[0].emulated, Memory(before.begin() + vertex, before.begin() + vertex + 16));
  EXPECT_EQ(c->differences[0].in_dump, Memory(image.begin() + vertex, image.begin() + vertex + 16));
  EXPECT_EQ(emu::to_string(c->differences[0].author.value()), "SK1[0] write-back");
  EXPECT_EQ(c->differences[1].structure, "GPL / submesh 0 / colours");
  EXPECT_FALSE(c->differences[1].author);
}

TEST(Ram, APointerThatWasNotRelocatedDiffers) {
  const Loaded loaded = bundled("small-body");
  Memory image = played(loaded, 0x80C00000, rest_pose(loaded.block));
  store_be(image.data() + 4, loaded.block.header.gpl);
  const auto c = compare_ram(loaded.bytes, loaded.block, image, 0x80C00000, {});
  ASSERT_EQ(c->differences.size(), 1U);
  EXPECT_EQ(c->differences[0].structure, "block header");
}

TEST(Ram, ABlockIn64MBIsComparedToo) {
  const Loaded loaded = bundled("face-body");
  const Pose pose = random_pose(loaded.block, 5, 1);
  auto machine = emu::Machine::load(loaded.bytes, loaded.block, {});
  machine->frame(pose.matrices, &pose.faces);
  const std::uint32_t address = 0x90001000;
  const Memory image = relocated({machine->block().begin(), machine->block().end()}, loaded.block, address);
  EXPECT_EQ(compare_ram(loaded.bytes, loaded.block, image, address, {})->bytes, 0U);
}

TEST(Ram, UncachedAddressesNameTheSameMemory) {
  const Loaded loaded = bundled("small-body");
  const Memory image = played(loaded, 0x80C00000, rest_pose(loaded.block));
  EXPECT_EQ(compare_ram(loaded.bytes, loaded.block, image, 0xC0C00000, {})->bytes, 0U);
}

TEST(Ram, EntriesThatDisagreeAreNamed) {
  const Loaded loaded = bundled("luigi-shape");
  Memory image = played(loaded, 0x80C00000, random_pose(loaded.block, 5, 1));
  const std::vector<MatrixField> fields = matrix_fields(loaded.block);
  const MatrixField& first = fields.front();
  const auto second = std::find_if(fields.begin() + 1, fields.end(),
                                   [&](const MatrixField& f) { return f.bone == first.bone; });
  ASSERT_NE(second, fields.end());
  image[second->at + 3] ^= 1;
  const auto recovered = recover_palette(loaded.block, image);
  ASSERT_EQ(recovered->conflicts.size(), 1U);
  EXPECT_EQ(recovered->conflicts[0].bone, first.bone);
  EXPECT_EQ(recovered->conflicts[0].first, first.entry);
  EXPECT_EQ(recovered->conflicts[0].second, second->entry);
  EXPECT_EQ(compare_ram(loaded.bytes, loaded.block, image, 0x80C00000, {})->bytes, 1U);
}

TEST(Ram, FieldsOfZerosAreNotFilled) {
  const Loaded loaded = bundled("small-body");
  EXPECT_EQ(recover_palette(loaded.block, loaded.bytes).error().code, ErrorCode::missing);
  Memory image = loaded.bytes;
  const MatrixField field = matrix_fields(loaded.block).back();
  store_be(image.data() + field.at, 2.5F);
  const auto recovered = recover_palette(loaded.block, image);
  EXPECT_EQ(recovered->palette.frame(0)[field.bone][0], 2.5F);
  EXPECT_EQ(recovered->unknown.size(), recovered->palette.bones - 1);
}

TEST(Ram, ABlockIsFoundWhereverItIs) {
  const Loaded loaded = bundled("small-body");
  const auto search = [&](std::uint32_t address) {
    const Memory memory = dump_with(played(loaded, 0x80C00000, rest_pose(loaded.block)), address);
    return find_block(ram_dump(memory), loaded.bytes, loaded.block);
  };
  const auto size = static_cast<std::uint32_t>(loaded.bytes.size());
  const std::uint32_t last = (emu::mem1_address + emu::mem1_bytes - size) / 32 * 32;
  for (const std::uint32_t address : {0x80000000U, 0x80C00000U, last})
    EXPECT_EQ(search(address), std::vector<std::uint32_t>{address});
  EXPECT_TRUE(search(0x80C00010).empty());
}

TEST(Ram, EveryCopyIsFoundAndOthersAreNot) {
  const Loaded loaded = bundled("small-body"), other = bundled("luigi-shape");
  Memory memory = dump_with(loaded.bytes, 0x80100000);
  std::copy(loaded.bytes.begin(), loaded.bytes.end(), memory.begin() + 0x200000);
  std::copy(other.bytes.begin(), other.bytes.end(), memory.begin() + 0x300000);
  EXPECT_EQ(find_block(ram_dump(memory), loaded.bytes, loaded.block),
            (std::vector<std::uint32_t>{0x80100000, 0x80200000}));
  memory[0x200000 + loaded.block.skn->at] ^= 1;
  EXPECT_EQ(find_block(ram_dump(memory), loaded.bytes, loaded.block), std::vector<std::uint32_t>{0x80100000});
}

TEST(Ram, TheSizeTellsWhichMemoryItIs) {
  EXPECT_EQ(ram_dump(Memory(32U << 20)).base, 0x80000000U);
  EXPECT_EQ(ram_dump(Memory((32U << 20) + 1)).base, 0x90000000U);
}

TEST(Ram, BlocksMustLieInTheDump) {
  const Memory memory(0x1000);
  const RamDump dump{memory, 0x90000000};
  EXPECT_TRUE(block_in(dump, 0x90000F00, 0x100));
  EXPECT_TRUE(block_in(dump, 0xD0000F00, 0x100));
  for (const std::uint32_t address : {0x90000F20U, 0x80000000U, 0U, 0x8FFFFFE0U, 0xFFFFFFFFU})
    EXPECT_EQ(block_in(dump, address, 0x100).error().code, ErrorCode::out_of_bounds) << address;
}

TEST(Ram, SurvivesDamagedBlocksAndMemory) {
  const Loaded loaded = bundled("face-body");
  const Memory image = played(loaded, 0x80C00000, rest_pose(loaded.block));
  SplitMix64 random(11);
  std::size_t compared = 0;
  for (int n = 0; n < 600; ++n) {
    const Memory bytes = tests::mutate(loaded.bytes, random);
    Memory damaged = tests::mutate(image, random);
    damaged.resize(bytes.size());
    const auto block = parse_block(bytes);
    if (!block) continue;
    find_block({damaged, 0x80000000}, bytes, *block);
    const auto comparison = compare_ram(bytes, *block, damaged, 0x80C00000, {});
    if (comparison) ++compared;
  }
  EXPECT_GT(compared, 300U);
}

}  // namespace
}  // namespace lockline::harness
