#pragma once

#include <cstdint>
#include <utility>

#include "formats/view.hpp"

namespace lockline::corpus {

/// Hands out consecutive places, in block offsets.
class Cursor {
 public:
  explicit Cursor(std::uint32_t at) : at_(at) {}

  /// The next multiple of `alignment` with `bytes` behind it.
  std::uint32_t take(std::size_t bytes, std::uint32_t alignment = 4) {
    const std::uint32_t start = align_up(at_, alignment);
    at_ = start + static_cast<std::uint32_t>(bytes);
    return start;
  }

  std::uint32_t at() const { return at_; }

 private:
  std::uint32_t at_;
};

}  // namespace lockline::corpus
