#include "harness/cli/model_source.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "formats/block.hpp"
#include "formats/sluggie.hpp"
#include "harness/cli/dat_file.hpp"

namespace lockline::cli {
namespace {

using Data = std::vector<std::uint8_t>;
constexpr std::uint64_t default_length = 4U << 20;
constexpr std::size_t max_dol_bytes = 64U << 20;

std::optional<std::uint64_t> number(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "a:b:c" at its last colons that follow an existing path, so that C:\ stays whole.
struct Address {
  std::string path, rest;
};

std::optional<Address> split(const std::string& name) {
  for (auto colon = name.rfind(':'); colon != std::string::npos && colon != 0;
       colon = name.rfind(':', colon - 1)) {
    std::error_code error;
    if (std::filesystem::exists(name.substr(0, colon), error))
      return Address{name.substr(0, colon), name.substr(colon + 1)};
  }
  return std::nullopt;
}

Result<Data> read_range(const std::string& dat, const std::string& range) {
  const auto colon = range.find(':');
  const auto offset = number(std::string_view(range).substr(0, colon));
  const auto length = colon == std::string::npos ? std::optional<std::uint64_t>(default_length)
                                                 : number(std::string_view(range).substr(colon + 1));
  if (!offset || !length) return tl::unexpected("':" + range + "' is no OFFSET or OFFSET:LENGTH");
  return DatFile::open(dat).and_then([&](DatFile file) {
    const bool given = colon != std::string::npos;
    return file.read(*offset,
                     given || *offset >= file.size() ? *length : std::min(*length, file.size() - *offset));
  });
}

Result<Data> read_member(const Data& bytes, std::uint64_t number) {
  const auto members = parse_archive(bytes);
  if (!members) return tl::unexpected("is no archive: " + to_string(members.error()));
  for (const ArchiveMember& m : *members)
    if (m.number == number) return Data(bytes.begin() + m.begin, bytes.begin() + m.end);
  return tl::unexpected(fmt::format("the archive has no member {}", number));
}

Result<Data> read_game_file(const std::string& folder, const std::string& place) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = 0; at <= place.size();) {
    const auto slash = std::min(place.find('/', at), place.size());
    const auto n = number(std::string_view(place).substr(at, slash - at));
    if (!n) return tl::unexpected("':" + place + "' is no CHUNK/FILE or CHUNK/FILE/MEMBER");
    numbers.push_back(*n);
    at = slash + 1;
  }
  if (numbers.size() != 2 && numbers.size() != 3)
    return tl::unexpected("':" + place + "' is no CHUNK/FILE or CHUNK/FILE/MEMBER");
  const auto paths = find_game(folder);
  if (!paths) return tl::unexpected(paths.error());
  const auto index = read_game_index(paths->dol);
  if (!index) return tl::unexpected(paths->dol + ": " + index.error());
  if (numbers[0] >= index->directories.size())
    return tl::unexpected(
        fmt::format("there is no chunk {}, the game has {}", numbers[0], index->directories.size()));
  const auto& files = index->directories[numbers[0]].files;
  if (numbers[1] >= files.size())
    return tl::unexpected(
        fmt::format("chunk {} has {} files, no file {}", numbers[0], files.size(), numbers[1]));
  const GameFile& file = files[numbers[1]][0];
  auto bytes =
      DatFile::open(paths->dat).and_then([&](DatFile dat) { return dat.read(file.offset, file.length); });
  if (!bytes || numbers.size() == 2) return bytes;
  return read_member(*bytes, numbers[2]);
}

Result<Data> read_sluggie(const Data& bytes) {
  auto sluggie = parse_sluggie({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!sluggie) return tl::unexpected(to_string(sluggie.error()));
  if (sluggie->donor) return std::move(*sluggie->donor);
  return tl::unexpected(
      fmt::format("carries no DonorEntry; name its block in the game instead: dt_na.dat:{:#x}:{:#x}",
                  sluggie->offset, sluggie->length));
}

}  // namespace

Result<GamePaths> find_game(const std::string& folder) {
  const std::filesystem::path root(folder);
  for (const auto& [dol, dat] :
       {std::pair(root / "sys" / "main.dol", root / "files" / "dt_na.dat"),
        std::pair(root / "main.dol", root / "dt_na.dat"),
        std::pair(root / "DATA" / "sys" / "main.dol", root / "DATA" / "files" / "dt_na.dat")}) {
    std::error_code error;
    if (std::filesystem::exists(dol, error) && std::filesystem::exists(dat, error))
      return GamePaths{dol.string(), dat.string()};
  }
  return tl::unexpected(std::string(
      "has no sys/main.dol with files/dt_na.dat, nor both beside each other: it is no extracted game"));
}

Result<GameIndex> read_game_index(const std::string& dol, const DirectoryTable& table) {
  const auto bytes = read_file(dol, max_dol_bytes);
  if (!bytes) return tl::unexpected(bytes.error());
  return read_index(*bytes, table).map_error([](const Error& error) { return to_string(error); });
}

Result<Data> read_model_bytes(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::exists(name, error)) {
    if (const auto address = split(name)) {
      return std::filesystem::is_directory(address->path, error)
                 ? read_game_file(address->path, address->rest)
                 : read_range(address->path, address->rest);
    }
  }
  auto bytes = read_file(name, max_block_bytes);
  if (bytes && name.ends_with(".sluggie")) return read_sluggie(*bytes);
  return bytes;
}

}  // namespace lockline::cli
