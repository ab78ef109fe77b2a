#include "formats/kernel_vectors.hpp"

#include <fmt/format.h>

#include "formats/matrix.hpp"

namespace lockline {
namespace {

constexpr std::uint32_t magic = 0x4C4F434B;  // 'LOCK'
constexpr std::uint32_t header_bytes = 0x20, case_header_bytes = 0x10 + 2 * sizeof(Matrix);

/// Walks the file; after the first failure every read is empty.
class Cursor {
 public:
  explicit Cursor(Bytes bytes) : bytes_(bytes) {}

  Bytes take(std::uint64_t used, std::uint64_t padded) {
    if (failed_ || !contains(bytes_.size(), at_, padded)) {
      failed_ = true;
      return {};
    }
    const Bytes out = bytes_.subspan(at_, used);
    at_ += padded;
    return out;
  }
  bool failed() const { return failed_; }
  std::uint32_t at() const { return static_cast<std::uint32_t>(at_); }
  std::uint64_t left() const { return bytes_.size() - at_; }

 private:
  Bytes bytes_;
  std::uint64_t at_ = 0;
  bool failed_ = false;
};

constexpr std::uint64_t padded(std::uint64_t bytes) {
  return align_up(bytes, cache_line);
}

Error error(ErrorCode code, std::uint32_t offset, std::size_t index, std::string message) {
  return {code, offset, fmt::format("kernel vectors / case {}", index), std::move(message)};
}

Expected<void> check_destinations(const KernelCase& c, std::uint32_t at, std::size_t index) {
  if (c.kind != KernelKind::skacc) {
    if (c.count <= c.slots) return {};
    return tl::unexpected(error(ErrorCode::bad_value, at, index,
                                fmt::format("{} vertices do not fit {} slots", c.count, c.slots)));
  }
  for (std::uint32_t k = 0; k < c.count; ++k) {
    const auto slot = load_be<std::uint16_t>(c.indices.data() + 2 * k);
    if (slot >= c.slots) {
      return tl::unexpected(error(ErrorCode::bad_value, at, index,
                                  fmt::format("index {} names slot {} of {}", k, slot, c.slots)));
    }
  }
  return {};
}

Expected<KernelCase> read_case(Cursor& cursor, std::size_t index) {
  const std::uint32_t at = cursor.at();
  const Bytes header = cursor.take(case_header_bytes, case_header_bytes);
  const auto truncated = [&] {
    return tl::unexpected(error(ErrorCode::truncated, at, index, "the file ends inside this case"));
  };
  if (cursor.failed()) return truncated();
  KernelCase c;
  const auto kind = load_be<std::uint32_t>(header.data());
  if (kind < 1 || kind > 3) {
    return tl::unexpected(error(ErrorCode::bad_value, at, index,
                                fmt::format("kind {} is none of 1 (SK1), 2 (SK2), 3 (SKAcc)", kind)));
  }
  c.kind = static_cast<KernelKind>(kind);
  c.count = load_be<std::uint32_t>(header.data() + 4);
  const auto scale = load_be<std::uint32_t>(header.data() + 8) & 0x3F;
  c.scale = static_cast<int>(scale < 32 ? scale : scale - 64);
  c.slots = load_be<std::uint32_t>(header.data() + 12);
  c.m0 = load_matrix(header.data() + 16);
  c.m1 = load_matrix(header.data() + 16 + sizeof(Matrix));
  const std::uint64_t n = c.count, slots = c.slots;
  c.weights = cursor.take(2 * n, padded(2 * n));
  c.indices = cursor.take(2 * n, padded(2 * n + 2));
  c.source = cursor.take(vertex_stride * n, padded(vertex_stride * n + 24));
  c.destination = cursor.take(vertex_stride * slots, padded(vertex_stride * slots));
  if (cursor.failed()) return truncated();
  if (auto fits = check_destinations(c, at, index); !fits) return tl::unexpected(fits.error());
  return c;
}

}  // namespace

Expected<KernelVectors> parse_kernel_vectors(Bytes bytes) {
  Cursor cursor(bytes);
  const Bytes header = cursor.take(header_bytes, header_bytes);
  if (cursor.failed() || load_be<std::uint32_t>(header.data()) != magic) {
    return tl::unexpected(Error{ErrorCode::bad_magic, 0, "kernel vectors",
                                "the file does not start with a 'LOCK' header of 32 bytes"});
  }
  KernelVectors vectors{.fpscr = load_be<std::uint32_t>(header.data() + 8), .cases = {}};
  const auto count = load_be<std::uint32_t>(header.data() + 4);
  if (count > cursor.left() / case_header_bytes) {
    return tl::unexpected(
        Error{ErrorCode::truncated, 4, "kernel vectors", fmt::format("{} cases do not fit the file", count)});
  }
  vectors.cases.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    auto c = read_case(cursor, i);
    if (!c) return tl::unexpected(c.error());
    vectors.cases.push_back(*c);
  }
  return vectors;
}

}  // namespace lockline
