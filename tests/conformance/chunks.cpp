#include "tests/conformance/chunks.hpp"

#include <fstream>
#include <iterator>

namespace lockline::conformance {

Buffer read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool write_file(const std::string& path, Bytes bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return out.flush().good();
}

void put_chunk(Buffer& file, Bytes chunk) {
  std::array<std::uint8_t, 4> size;
  store_be(size.data(), static_cast<std::uint32_t>(chunk.size()));
  file.insert(file.end(), size.begin(), size.end());
  file.insert(file.end(), chunk.begin(), chunk.end());
}

void put_chunk(Buffer& file, std::string_view text) {
  put_chunk(file, Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::optional<Bytes> ChunkReader::next() {
  if (rest_.size() < 4) return std::nullopt;
  const auto size = load_be<std::uint32_t>(rest_.data());
  if (size > rest_.size() - 4) return std::nullopt;
  const Bytes chunk = rest_.subspan(4, size);
  rest_ = rest_.subspan(4 + size);
  return chunk;
}

}  // namespace lockline::conformance
