#include "formats/game.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/gpl.hpp"

namespace lockline {
namespace {

constexpr std::uint32_t entry_bytes = 48, slot_bytes = 16, max_members = 4096;

tl::unexpected<Error> bad(std::uint32_t at, const char* structure, std::string message) {
  return tl::unexpected(Error{ErrorCode::bad_value, at, structure, std::move(message)});
}

std::uint32_t word(Bytes bytes, std::size_t at) {
  return load_be<std::uint32_t>(bytes.data() + at);
}

/// The addresses of the directories, ascending copies of which tell where each ends at the latest.
std::vector<std::uint32_t> directory_addresses(Bytes dol, const DirectoryTable& table) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t at = table.begin; at + 4 <= table.end; at += 4) out.push_back(word(dol, at));
  return out;
}

GameDirectory read_directory(Bytes dol, std::uint32_t at, std::uint32_t end, std::uint32_t address,
                             std::uint32_t name_pointer) {
  GameDirectory directory{address, {}};
  for (; at + entry_bytes <= end && word(dol, at) == name_pointer; at += entry_bytes) {
    auto& file = directory.files.emplace_back();
    for (std::uint32_t l = 0; l < languages; ++l)
      file[l] = {word(dol, at + l * slot_bytes + 4), word(dol, at + l * slot_bytes + 8),
                 word(dol, at + l * slot_bytes + 12)};
  }
  return directory;
}

}  // namespace

std::optional<std::uint32_t> Dol::offset_of(std::uint32_t address, std::uint32_t size) const {
  for (const DolSection& s : sections)
    if (address >= s.address && contains(s.size, address - s.address, size))
      return s.offset + (address - s.address);
  return std::nullopt;
}

Expected<Dol> parse_dol(Bytes bytes) {
  if (bytes.size() < Dol::header_bytes)
    return tl::unexpected(Error{ErrorCode::truncated, 0, "DOL / header",
                                fmt::format("a DOL starts with {} bytes of header; this file has {}",
                                            Dol::header_bytes, bytes.size())});
  Dol dol;
  for (std::uint32_t i = 0; i < Dol::section_count; ++i) {
    const DolSection s{word(bytes, 4 * i), word(bytes, 0x48 + 4 * i), word(bytes, 0x90 + 4 * i)};
    if (s.size == 0) continue;
    if (s.offset < Dol::header_bytes || !contains(bytes.size(), s.offset, s.size) || s.address < 0x80000000)
      return bad(
          4 * i, "DOL / header",
          fmt::format("section {} ({:#x} bytes at {:#x}, address {:#010x}) leaves the file: this is no DOL",
                      i, s.size, s.offset, s.address));
    dol.sections.push_back(s);
  }
  if (dol.sections.empty()) return bad(0, "DOL / header", "has no section: this is no DOL");
  return dol;
}

Expected<GameIndex> read_index(Bytes bytes, const DirectoryTable& table) {
  const auto dol = parse_dol(bytes);
  if (!dol) return tl::unexpected(dol.error());
  if (table.begin >= table.end || table.begin % 4 != 0 ||
      !contains(bytes.size(), table.begin, table.end - table.begin))
    return bad(table.begin, "directory table",
               fmt::format("{:#x} to {:#x} is not inside the executable of {:#x} bytes", table.begin,
                           table.end, bytes.size()));
  const std::vector<std::uint32_t> addresses = directory_addresses(bytes, table);
  std::vector<std::uint32_t> ascending = addresses;
  std::sort(ascending.begin(), ascending.end());
  GameIndex index;
  bool any = false;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto at = dol->offset_of(addresses[i], entry_bytes);
    index.directories.push_back({addresses[i], {}});
    if (!at) {
      index.problems.push_back(
          {ErrorCode::out_of_bounds, table.begin + 4 * static_cast<std::uint32_t>(i),
           fmt::format("directory {}", i),
           fmt::format("its address {:#010x} is in no section of the executable", addresses[i])});
      continue;
    }
    const auto next = std::upper_bound(ascending.begin(), ascending.end(), addresses[i]);
    const std::uint64_t limit =
        next == ascending.end() ? bytes.size() : std::uint64_t{*at} + (*next - addresses[i]);
    index.directories.back() =
        read_directory(bytes, *at, static_cast<std::uint32_t>(std::min<std::uint64_t>(limit, bytes.size())),
                       addresses[i], table.name_pointer);
    any = any || !index.directories.back().files.empty();
  }
  if (!any)
    return bad(table.begin, "directory table",
               fmt::format("leads to no entry with the name pointer {:#010x}: another version of the game, "
                           "or the table was moved",
                           table.name_pointer));
  return index;
}

GameFileKind kind_of(Bytes bytes) {
  if (bytes.size() < 8) return GameFileKind::other;
  const std::uint32_t first = word(bytes, 0), second = word(bytes, 4);
  const bool gpl =
      contains(bytes.size(), second, 4) && second >= 0x20 && word(bytes, second) == Gpl::magic_value;
  if (gpl) return GameFileKind::model;
  if (first == 0)
    return second >= 0x20 && second % cache_line == 0 && second < bytes.size() ? GameFileKind::model
                                                                               : GameFileKind::other;
  return parse_archive(bytes) ? GameFileKind::archive : GameFileKind::other;
}

Expected<std::vector<ArchiveMember>> parse_archive(Bytes bytes) {
  const std::uint32_t count = bytes.size() < 4 ? 0 : word(bytes, 0);
  if (count == 0 || count > max_members || !contains(bytes.size(), 4, count * 4ULL))
    return bad(0, "archive / header", fmt::format("{} members do not fit {} bytes", count, bytes.size()));
  std::vector<ArchiveMember> members;
  std::uint32_t previous = 4 + 4 * count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = word(bytes, 4 + 4 * i);
    if (at == 0) continue;
    if (at % cache_line != 0 || at < previous || at >= bytes.size())
      return bad(
          4 + 4 * i, "archive / header",
          fmt::format("member {} starts at {:#x}: members ascend on 32-byte boundaries inside the archive", i,
                      at));
    if (!members.empty()) members.back().end = at;
    members.push_back({i, at, static_cast<std::uint32_t>(bytes.size())});
    previous = at + 1;
  }
  if (members.empty()) return bad(0, "archive / header", "all members are empty");
  return members;
}

}  // namespace lockline
