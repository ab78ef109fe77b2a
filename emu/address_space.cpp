#include "emu/address_space.hpp"

#include <algorithm>

namespace lockline::emu {

AddressSpace::AddressSpace(const Profile& profile)
    : locked_cache_bytes_(profile.locked_cache_bytes),
      mem1_(allocate(mem1_bytes)),
      locked_cache_(allocate(profile.locked_cache_bytes)) {}

AddressSpace::Memory AddressSpace::allocate(std::size_t bytes) {
  // glibc maps blocks above 32 MB afresh (zero pages, claimed on touch); smaller ones it may have to clear by
  // hand.
  constexpr std::size_t mapped_afresh = (32U << 20) + 4096;
  const std::size_t claimed = bytes >= mem1_bytes ? std::max(bytes, mapped_afresh) : bytes;
  return Memory(static_cast<std::uint8_t*>(std::calloc(claimed, 1)));
}

std::uint8_t* AddressSpace::mem2() {
  if (mem2_ == nullptr) mem2_ = allocate(mem2_bytes);
  return mem2_.get();
}

std::uint8_t* AddressSpace::cpu_elsewhere(std::uint32_t address, std::uint32_t size) {
  if (address - locked_cache_address < locked_cache_bytes_) {
    return inside(locked_cache_.get(), locked_cache_bytes_, address - locked_cache_address, size);
  }
  if (address - (mem1_address + uncached) < mem1_bytes) {
    return inside(mem1_.get(), mem1_bytes, address - (mem1_address + uncached), size);
  }
  for (const std::uint32_t base : {mem2_address, mem2_address + uncached}) {
    if (address - base < mem2_bytes && mem2() != nullptr)
      return inside(mem2(), mem2_bytes, address - base, size);
  }
  return nullptr;
}

MutableBytes AddressSpace::physical(std::uint32_t address) {
  if (address < mem1_bytes) return {mem1_.get() + address, mem1_bytes - address};
  const std::uint32_t offset = address - mem2_physical;
  if (offset < mem2_bytes && mem2() != nullptr) return {mem2() + offset, mem2_bytes - offset};
  return {};
}

}  // namespace lockline::emu
