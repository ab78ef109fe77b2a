#include "harness/golden_images.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <functional>

#include "formats/block.hpp"

namespace lockline::harness {
namespace {

constexpr std::uint32_t magic = 0x4C4C4749;  // "LLGI"
constexpr std::size_t header_bytes = 12;
constexpr int level = 1;

tl::unexpected<Error> refuse(ErrorCode code, std::size_t at, std::string message) {
  return tl::unexpected(Error{code, static_cast<std::uint32_t>(at), "images", std::move(message)});
}

void exclusive_or(MutableBytes bytes, Bytes with) {
  std::transform(bytes.begin(), bytes.end(), with.begin(), bytes.begin(), std::bit_xor<std::uint8_t>());
}

}  // namespace

GoldenImagesWriter::GoldenImagesWriter(Bytes block) : block_(block) {
  deflate(block);
}

void GoldenImagesWriter::add(Bytes image) {
  difference_.assign(image.begin(), image.end());
  exclusive_or(difference_, block_);
  deflate(difference_);
}

/// Level 1 of zlib never fails with room for its bound.
void GoldenImagesWriter::deflate(Bytes bytes) {
  uLongf length = compressBound(bytes.size());
  packed_.resize(length);
  compress2(packed_.data(), &length, bytes.data(), bytes.size(), level);
  streams_.insert(streams_.end(), packed_.begin(), packed_.begin() + static_cast<std::ptrdiff_t>(length));
  lengths_.push_back(static_cast<std::uint32_t>(length));
}

std::vector<std::uint8_t> GoldenImagesWriter::finish() const {
  std::vector<std::uint8_t> file(header_bytes + 4 * lengths_.size());
  store_be(file.data(), magic);
  store_be(file.data() + 4, static_cast<std::uint32_t>(block_.size()));
  store_be(file.data() + 8, static_cast<std::uint32_t>(lengths_.size() - 1));
  for (std::size_t i = 0; i < lengths_.size(); ++i) store_be(file.data() + header_bytes + 4 * i, lengths_[i]);
  file.insert(file.end(), streams_.begin(), streams_.end());
  return file;
}

Expected<GoldenImages> GoldenImages::open(Bytes file) {
  if (file.size() < header_bytes) return refuse(ErrorCode::truncated, 0, "ends inside its header");
  if (load_be<std::uint32_t>(file.data()) != magic)
    return refuse(ErrorCode::bad_magic, 0, "is no file of images");
  GoldenImages images;
  images.block_bytes_ = load_be<std::uint32_t>(file.data() + 4);
  if (images.block_bytes_ > max_block_bytes) return refuse(ErrorCode::too_large, 4, "the block is too large");
  const std::uint64_t streams = std::uint64_t{load_be<std::uint32_t>(file.data() + 8)} + 1;
  if (!contains(file.size(), header_bytes, 4 * streams))
    return refuse(ErrorCode::truncated, 8, "ends inside its table");
  std::uint64_t at = header_bytes + 4 * streams;
  for (std::uint64_t i = 0; i < streams; ++i) {
    const auto length = load_be<std::uint32_t>(file.data() + header_bytes + 4 * i);
    if (!contains(file.size(), at, length))
      return refuse(ErrorCode::truncated, header_bytes + 4 * i, "ends inside a frame");
    images.streams_.push_back(file.subspan(at, length));
    at += length;
  }
  auto block = images.inflate(images.streams_[0]);
  if (!block) return tl::unexpected(block.error());
  images.block_ = *std::move(block);
  return images;
}

Expected<std::vector<std::uint8_t>> GoldenImages::frame(std::uint32_t number) const {
  auto bytes = inflate(streams_[std::size_t{number} + 1]);
  if (bytes) exclusive_or(*bytes, block_);
  return bytes;
}

/// zlib packs at most about 1000 to 1: a stream that cannot hold the block gets no memory for it.
Expected<std::vector<std::uint8_t>> GoldenImages::inflate(Bytes stream) const {
  constexpr std::uint64_t densest = 1100;
  if (stream.size() * densest < block_bytes_)
    return refuse(ErrorCode::bad_value, 0, "a frame is shorter than its block");
  std::vector<std::uint8_t> bytes(block_bytes_);
  uLongf length = block_bytes_;
  const int result = uncompress(bytes.data(), &length, stream.data(), stream.size());
  if (result != Z_OK || length != block_bytes_)
    return refuse(ErrorCode::bad_value, 0, "a frame does not unpack to its block's size");
  return bytes;
}

}  // namespace lockline::harness
