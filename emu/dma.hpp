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

/// What a transfer did: bytes moved, and the physical main memory address they start at. `moved` is short
/// when main memory or the locked cache ends before the command does, 0 when there is none at all.
struct DmaResult {
  std::uint32_t memory = 0;
  std::uint32_t wanted = 0;
  std::uint32_t moved = 0;
};

/// Carries the command out at once, as Dolphin does.
DmaResult execute(AddressSpace& space, const DmaCommand& command);

/// The processor's cached address of a physical one below 0x20000000.
constexpr std::uint32_t cached(std::uint32_t physical) {
  return physical | 0x80000000;
}

}  // namespace lockline::emu
