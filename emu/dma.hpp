#pragma once

#include <cstdint>

#include "emu/address_space.hpp"

/// The locked cache's DMA engine. Source: runtime.md "DMA command registers".
namespace lockline::emu {

inline constexpr std::uint32_t dma_max_lines = 128;

/// The two command registers of one transfer (SPR 922 and 923).
struct DmaCommand {
  std::uint32_t upper = 0;
  std::uint32_t lower = 0;

  /// As the library puts them together: fields are OR-ed, so an address that is not 32-byte aligned spills
  /// into the length and `lines` wraps at 128.
  static constexpr DmaCommand load(std::uint32_t locked_cache, std::uint32_t memory, std::uint32_t lines) {
    return make(locked_cache, memory, lines, 0x12);
  }
  static constexpr DmaCommand store(std::uint32_t locked_cache, std::uint32_t memory, std::uint32_t lines) {
    return make(locked_cache, memory, lines, 0x02);
  }

  /// As the engine takes them apart.
  constexpr std::uint32_t memory() const { return upper & ~31U; }
  constexpr std::uint32_t locked_cache() const { return lower & ~31U; }
  constexpr std::uint32_t lines() const {
    const std::uint32_t field = ((upper & 31) << 2) | ((lower >> 2) & 3);
    return field == 0 ? dma_max_lines : field;
  }
  constexpr bool is_load() const { return (lower & 0x10) != 0; }

 private:
  static constexpr DmaCommand make(std::uint32_t locked_cache, std::uint32_t memory, std::uint32_t lines,
                                   std::uint32_t flags) {
    return {(memory & 0x0FFFFFFF) | ((lines >> 2) & 31), locked_cache | ((lines & 3) << 2) | flags};
  }
};

/// What a transfer did.
struct DmaResult {
  std::uint32_t memory = 0;      ///< physical main memory address of the first byte
  std::uint32_t moved = 0;       ///< bytes
  bool unknown_pointer = false;  ///< Dolphin complains about the main memory address
};

/// Carries the command out at once, as Dolphin does. Dolphin looks only at where a transfer starts, takes
/// locked cache addresses modulo its 256 KB, and serves the windows at 0x08000000 and 0x0C000000 with
/// constants (measured, emu/README.md). On the console a transfer ends where memory or locked cache end
/// (assumption).
DmaResult execute(AddressSpace& space, const DmaCommand& command);

/// The processor's cached address of a physical one below 0x20000000.
constexpr std::uint32_t cached(std::uint32_t physical) {
  return physical | 0x80000000;
}

}  // namespace lockline::emu
