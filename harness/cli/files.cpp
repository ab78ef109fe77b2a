#include "harness/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace lockline::cli {
namespace {

tl::unexpected<std::string> system_error(std::string_view what) {
  return tl::unexpected(fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

Result<std::vector<std::uint8_t>> read_file(const std::string& path, std::size_t limit) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) return system_error("cannot open");
  std::vector<std::uint8_t> bytes;
  std::size_t size = 0;
  do {
    bytes.resize(std::min(std::max<std::size_t>(2 * size, 1U << 16), limit + 1));
    size += std::fread(bytes.data() + size, 1, bytes.size() - size, file.get());
    if (std::ferror(file.get())) return system_error("cannot read");
  } while (size == bytes.size() && size <= limit);
  if (size > limit)
    return tl::unexpected(fmt::format("is larger than {} bytes, the most such a file can have", limit));
  if (size == 0) return tl::unexpected(std::string("is empty"));
  bytes.resize(size);
  return bytes;
}

Result<OutputFile> OutputFile::create(const std::string& path, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code none;  // one of them does not exist: not the same
    if (std::filesystem::equivalent(path, input, none))
      return tl::unexpected(std::string("is an input of this command and would be overwritten"));
  }
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return system_error("cannot create");
  return OutputFile(file);
}

Result<void> OutputFile::write(Bytes bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    return system_error("cannot write");
  return {};
}

Result<void> OutputFile::close() {
  if (std::fclose(file_.release()) != 0) return system_error("cannot write");
  return {};
}

Result<void> write_file(const std::string& path, Bytes bytes, const std::vector<std::string>& inputs) {
  return OutputFile::create(path, inputs).and_then([&](OutputFile file) -> Result<void> {
    return file.write(bytes).and_then([&] { return file.close(); });
  });
}

Result<void> write_text(const std::string& path, std::string_view text,
                        const std::vector<std::string>& inputs) {
  return write_file(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, inputs);
}

}  // namespace lockline::cli
