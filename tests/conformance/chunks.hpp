#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/view.hpp"

/// Files as sequences of chunks: u32 size (big-endian), bytes.
namespace lockline::conformance {

using Buffer = std::vector<std::uint8_t>;

Buffer read_file(const std::string& path);
/// False when it could not be written.
bool write_file(const std::string& path, Bytes bytes);

void put_chunk(Buffer& file, Bytes chunk);
void put_chunk(Buffer& file, std::string_view text);

/// Hands out one chunk after the other.
class ChunkReader {
 public:
  explicit ChunkReader(Bytes file) : rest_(file) {}
  /// Empty at the end of the file, or where it is cut off.
  std::optional<Bytes> next();

 private:
  Bytes rest_;
};

}  // namespace lockline::conformance
