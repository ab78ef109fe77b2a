#include "formats/palette.hpp"

#include <fmt/format.h>

#include "formats/matrix.hpp"

namespace lockline {
namespace {
constexpr std::size_t header_bytes = 8;
}

Expected<Palette> parse_palette(Bytes bytes) {
  const auto refuse = [](ErrorCode code, std::uint32_t offset, std::string message) {
    return tl::unexpected(Error{code, offset, "palette", std::move(message)});
  };
  if (bytes.size() < header_bytes) {
    return refuse(
        ErrorCode::truncated, 0,
        fmt::format("a palette starts with 8 bytes (frames, bones); the file has {}", bytes.size()));
  }
  Palette palette{.frames = load_be<std::uint32_t>(bytes.data()),
                  .bones = load_be<std::uint32_t>(bytes.data() + 4),
                  .matrices = {}};
  if (palette.frames == 0 || palette.bones == 0)
    return refuse(ErrorCode::bad_value, 0, "a palette has at least one frame and one bone");
  const std::uint64_t count = std::uint64_t{palette.frames} * palette.bones;
  if (count > (bytes.size() - header_bytes) / matrix_bytes) {
    return refuse(
        ErrorCode::truncated, static_cast<std::uint32_t>(bytes.size()),
        fmt::format("{} frames of {} bones need {} matrices of 48 bytes, the file has room for {}",
                    palette.frames, palette.bones, count, (bytes.size() - header_bytes) / matrix_bytes));
  }
  palette.matrices.resize(count);
  const std::uint8_t* p = bytes.data() + header_bytes;
  for (Matrix& m : palette.matrices) {
    m = load_matrix(p);
    p += matrix_bytes;
  }
  return palette;
}

std::vector<std::uint8_t> serialize(const Palette& palette) {
  std::vector<std::uint8_t> bytes(header_bytes + palette.matrices.size() * matrix_bytes);
  store_be(bytes.data(), palette.frames);
  store_be(bytes.data() + 4, palette.bones);
  std::uint8_t* p = bytes.data() + header_bytes;
  for (const Matrix& m : palette.matrices) {
    store_matrix(p, m);
    p += matrix_bytes;
  }
  return bytes;
}

}  // namespace lockline
