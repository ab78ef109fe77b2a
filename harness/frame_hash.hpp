#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "formats/block.hpp"

struct XXH3_state_s;

namespace lockline::harness {

/// [begin, end) in block offsets.
struct Piece {
  std::uint32_t begin = 0, end = 0;

  std::uint32_t size() const { return end - begin; }
};

/// Submesh 0's stored positions inside the block; empty without them.
Piece stored_positions(const Block& block);

/// XXH3 (64 bit) of a block's bytes after a frame: submesh 0's stored positions; the GPL section around them;
/// everything else.
struct FrameHash {
  std::uint64_t positions = 0, gpl = 0, rest = 0;

  bool operator==(const FrameHash&) const = default;
};

/// Makes the hashes of one block's frames.
class FrameHasher {
 public:
  explicit FrameHasher(const Block& block);

  FrameHash operator()(Bytes image);

 private:
  Piece positions_;
  std::vector<Piece> gpl_, rest_;
  std::unique_ptr<XXH3_state_s, void (*)(XXH3_state_s*)> state_;
};

/// XXH3 (64 bit) of all bytes; of all but a piece.
std::uint64_t hash_bytes(Bytes bytes);
std::uint64_t hash_around(Bytes bytes, Piece piece);

}  // namespace lockline::harness
