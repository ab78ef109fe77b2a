#include "emu/dma.hpp"

#include <algorithm>
#include <cstring>

namespace lockline::emu {

DmaResult execute(AddressSpace& space, const DmaCommand& command) {
  const std::uint32_t wanted = command.lines() * cache_line;
  const MutableBytes memory = space.physical(command.memory());
  const MutableBytes cache = space.locked_cache();
  const std::uint32_t offset = command.locked_cache() - locked_cache_address;
  const std::size_t cache_room = offset < cache.size() ? cache.size() - offset : 0;
  const auto moved = static_cast<std::uint32_t>(std::min({std::size_t{wanted}, memory.size(), cache_room}));
  if (moved != 0 && command.is_load()) std::memcpy(cache.data() + offset, memory.data(), moved);
  if (moved != 0 && !command.is_load()) std::memcpy(memory.data(), cache.data() + offset, moved);
  return {command.memory(), wanted, moved};
}

}  // namespace lockline::emu
