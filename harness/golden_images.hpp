#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/view.hpp"

/// The file of one model and sequence: the block, and its exact bytes after every frame. Big-endian: u32
/// magic "LLGI", u32 block bytes, u32 frames, then frames + 1 u32 lengths and as many zlib streams: the block
/// as it is in its file, and each frame's bytes XOR the block's.
namespace lockline::harness {

/// Collects the frames of a run.
class GoldenImagesWriter {
 public:
  explicit GoldenImagesWriter(Bytes block);

  /// `image` is as long as the block.
  void add(Bytes image);
  std::vector<std::uint8_t> finish() const;

 private:
  void deflate(Bytes bytes);

  Bytes block_;
  std::vector<std::uint8_t> difference_, packed_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint8_t> streams_;
};

/// Reads such a file. Refers to its bytes.
class GoldenImages {
 public:
  /// Errors: bad_magic, truncated, too_large for a block over max_block_bytes, bad_value for a stream that
  /// does not unpack to the block's size.
  static Expected<GoldenImages> open(Bytes file);

  std::uint32_t frames() const { return static_cast<std::uint32_t>(streams_.size()) - 1; }
  /// The model the frames are of.
  Bytes block() const { return block_; }
  /// The bytes after frame `number` < frames(). Errors as open().
  Expected<std::vector<std::uint8_t>> frame(std::uint32_t number) const;

 private:
  Expected<std::vector<std::uint8_t>> inflate(Bytes stream) const;

  std::uint32_t block_bytes_ = 0;
  std::vector<Bytes> streams_;
  std::vector<std::uint8_t> block_;
};

}  // namespace lockline::harness
