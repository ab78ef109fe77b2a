#include "emu/dma.hpp"

#include <algorithm>
#include <cstring>

namespace lockline::emu {
namespace {

constexpr std::uint32_t graphics_window = 0x08, register_window = 0x0C;  // address >> 24

bool is_window(std::uint32_t memory) {
  return memory >> 24 == graphics_window || memory >> 24 == register_window;
}

/// The locked cache from the command's address on.
MutableBytes locked_cache_at(AddressSpace& space, std::uint32_t address) {
  const MutableBytes cache = space.locked_cache();
  const auto size = static_cast<std::uint32_t>(cache.size());
  const std::uint32_t offset = space.profile().roomy_memory ? address % size : address - locked_cache_address;
  return offset < size ? cache.subspan(offset) : MutableBytes{};
}

/// Copies into the locked cache leave a mark there.
void note_load(AddressSpace& space, MutableBytes cache, std::size_t moved) {
  space.touch_locked_cache(static_cast<std::size_t>(cache.data() - space.locked_cache().data()) + moved);
}

/// A load from a window gives zeros (graphics memory) or ones (registers) and a complaint; a store vanishes.
DmaResult execute_on_window(AddressSpace& space, const DmaCommand& command, MutableBytes cache,
                            std::uint32_t bytes) {
  const std::uint32_t memory = command.memory();
  if (!command.is_load()) return {.memory = memory};
  const auto moved = static_cast<std::uint32_t>(std::min<std::size_t>(bytes, cache.size()));
  std::memset(cache.data(), memory >> 24 == graphics_window ? 0x00 : 0xFF, moved);
  note_load(space, cache, moved);
  return {.memory = memory, .moved = moved, .unknown_pointer = true};
}

}  // namespace

DmaResult execute(AddressSpace& space, const DmaCommand& command) {
  const std::uint32_t wanted = command.lines() * cache_line;
  const MutableBytes cache = locked_cache_at(space, command.locked_cache());
  if (space.profile().roomy_memory && is_window(command.memory()))
    return execute_on_window(space, command, cache, wanted);
  const MutableBytes memory = space.physical(command.memory());
  const auto moved = static_cast<std::uint32_t>(std::min({std::size_t{wanted}, memory.size(), cache.size()}));
  // memmove, since GCC 12 expands memcpy to `rep movsq` here: a Luigi-shaped frame takes 13.6 us with
  // it, 10.9 without.
  if (moved != 0 && command.is_load()) {
    std::memmove(cache.data(), memory.data(), moved);
    note_load(space, cache, moved);
  }
  if (moved != 0 && !command.is_load()) std::memmove(memory.data(), cache.data(), moved);
  return {.memory = command.memory(), .moved = moved, .unknown_pointer = moved < wanted};
}

}  // namespace lockline::emu
