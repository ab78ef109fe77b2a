#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/machine.hpp"
#include "formats/block.hpp"
#include "formats/palette.hpp"

/// Model blocks in the memory of a running game, as Dolphin dumps it.
namespace lockline::harness {

/// The largest dump there is: the 64 MB at 0x90000000 (mem2.raw).
inline constexpr std::size_t max_dump_bytes = emu::mem2_bytes;

/// A raw memory dump.
struct RamDump {
  Bytes bytes;
  std::uint32_t base = emu::mem1_address;  ///< the address of its first byte
};

/// The dump with the base its size tells: over 32 MB (Dolphin's mem1.raw has 24 or 32) it is mem2.raw.
RamDump ram_dump(Bytes bytes);

/// The bytes of a block of that size at a virtual address, cached or uncached. Errors: out_of_bounds when
/// they do not lie in the dump.
Expected<Bytes> block_in(const RamDump& dump, std::uint32_t address, std::size_t size);

/// Every address, on 32-byte boundaries, at which the dump holds the block: first word 0, and everything of
/// the section headers that is no pointer (the GPL's magic among it) as in `file`, the block's own bytes.
std::vector<std::uint32_t> find_block(const RamDump& dump, Bytes file, const Block& block);

/// A matrix field of an entry: whose bone it is, and where it lies in the block.
struct MatrixField {
  std::uint32_t bone = 0;
  std::uint32_t at = 0;
  std::string entry;  ///< "SK2[14]"
};

/// Every entry's fields in the order the frame fills them.
std::vector<MatrixField> matrix_fields(const Block& block);

/// Two entries of a bone with different matrices: the dump was taken in the middle of a frame, or something
/// overwrote one.
struct MatrixConflict {
  std::uint32_t bone = 0;
  std::string first, second;
};

struct RecoveredPalette {
  Palette palette;                        ///< one frame
  std::vector<std::uint32_t> unknown;     ///< bones without a filled field: identity
  std::vector<MatrixConflict> conflicts;  ///< the first entry's matrix was taken
};

/// The matrices the game last used, from the entries' own fields in `image`, the block's bytes in memory. A
/// field of zeros has not been filled. At least bone_count() bones; more when an entry names a higher one.
/// Errors: missing without a filled field.
Expected<RecoveredPalette> recover_palette(const Block& block, Bytes image);

/// Bytes of one structure that differ.
struct RamDifference {
  std::string structure;
  std::size_t bytes = 0;
  std::uint32_t first = 0;                      ///< block offset of the first
  std::vector<std::uint8_t> emulated, in_dump;  ///< from there on, at most 16
  std::optional<emu::Author> author;            ///< who last wrote the first byte in the emulation
};

struct RamComparison {
  RecoveredPalette recovered;
  emu::FrameResult result;                 ///< of the emulated frame
  std::vector<RamDifference> differences;  ///< ascending by first
  std::size_t bytes = 0;                   ///< that differ
  std::size_t from_dump = 0;  ///< facial targets: emulated as the dump has them, so whatever face it shows
};

/// Emulates one frame of `file` with the dump's own palette and compares every byte with `image`, the block
/// in the dump at `address`. Pointers are relocated; the words of the facial type descriptors that the loader
/// fills are not compared. A block at 0x90000000, where no DMA reaches, is emulated at the default address.
/// Errors: recover_palette's and Machine::load's.
Expected<RamComparison> compare_ram(Bytes file, const Block& block, Bytes image, std::uint32_t address,
                                    emu::MachineOptions options);

}  // namespace lockline::harness
