#pragma once

#include <fstream>

#include "harness/cli/files.hpp"

namespace lockline::cli {

/// A large file of which only parts are read.
class DatFile {
 public:
  static Result<DatFile> open(const std::string& path);

  std::uint64_t size() const { return size_; }
  /// The bytes at an offset; an error when the file does not have them all, or for more than
  /// `max_block_bytes`.
  Result<std::vector<std::uint8_t>> read(std::uint64_t offset, std::uint64_t length);

 private:
  std::ifstream file_;
  std::uint64_t size_ = 0;
};

}  // namespace lockline::cli
