#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "formats/error.hpp"
#include "formats/view.hpp"

/// The game's executable and what it says of dt_na.dat. Source: formats.md "dt_na.dat and main.dol (US
/// retail)".
namespace lockline {

/// One text or data section of an executable: file bytes [offset, offset + size) are loaded at `address`.
struct DolSection {
  std::uint32_t offset = 0, address = 0, size = 0;
};

struct Dol {
  static constexpr std::uint32_t header_bytes = 0x100, section_count = 18;
  std::vector<DolSection> sections;  ///< the used ones

  /// Where in the file the `size` bytes at an address are; nullopt when no one section holds them all.
  std::optional<std::uint32_t> offset_of(std::uint32_t address, std::uint32_t size) const;
};

/// Errors: truncated below the header; bad_value when a section leaves the file or none is used.
Expected<Dol> parse_dol(Bytes bytes);

/// Where the executable keeps the addresses of its directories, in file offsets. Patched executables may have
/// it elsewhere.
struct DirectoryTable {
  std::uint32_t begin = 0x69C828, end = 0x69CAD8;
  std::uint32_t name_pointer = 0x8067F658;  ///< of every entry: the string "dt_na.dat"
};

/// One file of one language: bytes of dt_na.dat.
struct GameFile {
  std::uint32_t length = 0, offset = 0, allocation = 0;

  bool operator==(const GameFile&) const = default;
};

inline constexpr std::size_t languages = 3;

/// A directory ("chunk"): its files by number.
struct GameDirectory {
  std::uint32_t address = 0;
  std::vector<std::array<GameFile, languages>> files;
};

/// Every directory; one that cannot be read is empty, and its Error is among `problems`.
struct GameIndex {
  std::vector<GameDirectory> directories;
  std::vector<Error> problems;
};

/// Errors: those of parse_dol; bad_value when the table leaves the file, or leads to no directory at all.
Expected<GameIndex> read_index(Bytes dol, const DirectoryTable& table = {});

/// What a file of dt_na.dat, or a member of an archive, is.
enum class GameFileKind { model, archive, other };

/// By its first bytes (16 are enough for a model, an archive is recognised by its first members): a model
/// block starts with 0 and an ascending section pointer, an archive with a count and ascending offsets on
/// 32-byte boundaries.
GameFileKind kind_of(Bytes bytes);

/// A member of an archive: [begin, end) of its bytes.
struct ArchiveMember {
  std::uint32_t number = 0, begin = 0, end = 0;
};

/// The members that are there (offset not 0), each up to the next. Errors: truncated, bad_value with the
/// offset of the entry.
Expected<std::vector<ArchiveMember>> parse_archive(Bytes bytes);

}  // namespace lockline
