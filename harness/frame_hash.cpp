#include "harness/frame_hash.hpp"

#include <xxhash.h>

#include <algorithm>

namespace lockline::harness {
namespace {

/// What is left of the pieces without `hole`.
std::vector<Piece> subtract(const std::vector<Piece>& pieces, Piece hole) {
  std::vector<Piece> left;
  for (const Piece& piece : pieces) {
    const Piece before{piece.begin, std::min(piece.end, hole.begin)};
    const Piece after{std::max(piece.begin, hole.end), piece.end};
    if (hole.begin >= hole.end || hole.end <= piece.begin || piece.end <= hole.begin) {
      left.push_back(piece);
      continue;
    }
    if (before.begin < before.end) left.push_back(before);
    if (after.begin < after.end) left.push_back(after);
  }
  return left;
}

Piece inside(const Block& block, std::uint64_t at, std::uint64_t size) {
  const auto clamp = [&](std::uint64_t offset) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(offset, block.size));
  };
  return {clamp(at), clamp(at + size)};
}

using State = std::unique_ptr<XXH3_state_t, void (*)(XXH3_state_t*)>;

State make_state() {
  return {XXH3_createState(), [](XXH3_state_t* state) { XXH3_freeState(state); }};
}

std::uint64_t hash_pieces(Bytes image, const std::vector<Piece>& pieces, XXH3_state_t& state) {
  XXH3_64bits_reset(&state);
  for (const Piece& piece : pieces) XXH3_64bits_update(&state, image.data() + piece.begin, piece.size());
  return XXH3_64bits_digest(&state);
}

}  // namespace

Piece stored_positions(const Block& block) {
  const PositionArray* array = block.skinned_positions();
  if (array == nullptr) return {};
  return inside(block, array->data_at, std::uint64_t{array->header.count} * vertex_stride);
}

FrameHasher::FrameHasher(const Block& block) : positions_(stored_positions(block)), state_(make_state()) {
  const Piece gpl = block.gpl ? inside(block, block.gpl->at, block.gpl->size) : Piece{};
  gpl_ = subtract({gpl}, positions_);
  rest_ = subtract(subtract({{0, block.size}}, gpl), positions_);
}

FrameHash FrameHasher::operator()(Bytes image) {
  return {hash_bytes(image.subspan(positions_.begin, positions_.size())), hash_pieces(image, gpl_, *state_),
          hash_pieces(image, rest_, *state_)};
}

std::uint64_t hash_bytes(Bytes bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t hash_around(Bytes bytes, Piece piece) {
  return hash_pieces(bytes, subtract({{0, static_cast<std::uint32_t>(bytes.size())}}, piece), *make_state());
}

}  // namespace lockline::harness
