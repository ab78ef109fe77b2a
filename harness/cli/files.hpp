#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "formats/view.hpp"

namespace lockline::cli {

/// A value, or a sentence for people that says why there is none. The file's name is not in it.
template <class T>
using Result = tl::expected<T, std::string>;

/// All bytes of a file, at most `limit` of them. Never reads more, so devices and endless pipes do no harm.
Result<std::vector<std::uint8_t>> read_file(const std::string& path, std::size_t limit);

/// A file being written. Every step may fail; close() says whether all bytes arrived.
class OutputFile {
 public:
  /// `inputs` are files the command has read (empty names: none): none of them is ever overwritten.
  static Result<OutputFile> create(const std::string& path, const std::vector<std::string>& inputs = {});

  Result<void> write(Bytes bytes);
  Result<void> close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit OutputFile(std::FILE* file) : file_(file) {}

  std::unique_ptr<std::FILE, Close> file_;
};

/// Writes a whole file, with create()'s care for inputs.
Result<void> write_file(const std::string& path, Bytes bytes, const std::vector<std::string>& inputs = {});

/// The same for text.
Result<void> write_text(const std::string& path, std::string_view text,
                        const std::vector<std::string>& inputs = {});

}  // namespace lockline::cli
