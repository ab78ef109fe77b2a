#pragma once

#include <cstdint>
#include <unordered_set>

#include "emu/address_space.hpp"

namespace lockline::emu {

/// Pages of main memory that something wrote to, so that they can be zeroed without clearing all of it.
class DirtyPages {
 public:
  static constexpr std::uint32_t page_bytes = 4096;

  /// `size` bytes at an effective address of main memory.
  void mark(std::uint32_t address, std::uint32_t size) {
    const std::uint32_t last = (address + size - 1) / page_bytes;
    for (std::uint32_t page = address / page_bytes; size != 0 && page <= last; ++page) pages_.insert(page);
  }

  /// Zeroes every marked page and forgets them.
  void clear(AddressSpace& space) {
    for (const std::uint32_t page : pages_) {
      std::uint8_t* bytes = space.cpu(page * page_bytes, page_bytes);
      if (bytes != nullptr) std::memset(bytes, 0, page_bytes);
    }
    pages_.clear();
  }

 private:
  std::unordered_set<std::uint32_t> pages_;
};

}  // namespace lockline::emu
