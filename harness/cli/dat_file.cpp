#include "harness/cli/dat_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "formats/block.hpp"

namespace lockline::cli {

Result<DatFile> DatFile::open(const std::string& path) {
  DatFile out;
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return tl::unexpected(std::string("cannot open: Is a directory"));
  out.file_.open(path, std::ios::binary);
  if (!out.file_) return tl::unexpected(fmt::format("cannot open: {}", std::strerror(errno)));
  out.file_.seekg(0, std::ios::end);
  const auto end = out.file_.tellg();
  if (end < 0) return tl::unexpected(std::string("has no size: it must be a file"));
  out.size_ = static_cast<std::uint64_t>(end);
  return out;
}

Result<std::vector<std::uint8_t>> DatFile::read(std::uint64_t offset, std::uint64_t length) {
  if (length == 0) return tl::unexpected(std::string("no bytes are named"));
  if (length > max_block_bytes)
    return tl::unexpected(
        fmt::format("{} bytes are more than a block can have ({})", length, max_block_bytes));
  if (!contains(size_, offset, length))
    return tl::unexpected(
        fmt::format("{:#x} bytes at {:#x} leave the file of {:#x} bytes", length, offset, size_));
  std::vector<std::uint8_t> bytes(length);
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(length));
  if (!file_) return tl::unexpected(fmt::format("cannot read {:#x} bytes at {:#x}", length, offset));
  return bytes;
}

}  // namespace lockline::cli
