#include "emu/address_space.hpp"

#include <algorithm>

namespace lockline::emu {
namespace {

// Dolphin's additions, relative to 0x80000000 or 0xC0000000 (measured).
constexpr std::uint32_t roomy_mem1 = 32U << 20;    // storage
constexpr std::uint32_t mirrors_end = 0x08000000;  // address & 0x01FFFFFF below this
constexpr std::uint32_t window_end = 0x10000000;   // graphics memory and registers: accesses vanish

}  // namespace

AddressSpace::AddressSpace(const Profile& profile)
    : profile_(&profile),
      locked_cache_bytes_(profile.locked_cache_bytes),
      mem1_backed_(profile.roomy_memory ? roomy_mem1 : mem1_bytes),
      mem1_(allocate(mem1_backed_)),
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

std::uint8_t* AddressSpace::swallow(std::uint32_t size) {
  if (size > swallowed_.size()) return nullptr;
  swallowed_.fill(0);
  return swallowed_.data();
}

std::uint32_t AddressSpace::canonical(std::uint32_t address) const {
  const std::uint32_t segment = address >> 28;
  if (segment == 0xC || segment == 0xD) address -= uncached;
  const std::uint32_t offset = address - mem1_address;
  if (profile_->roomy_memory && offset < mirrors_end) return mem1_address + offset % roomy_mem1;
  return address;
}

bool AddressSpace::is_main_memory(std::uint32_t address) const {
  const std::uint32_t plain = canonical(address);
  return plain - mem1_address < mem1_backed_ || plain - mem2_address < mem2_bytes;
}

std::uint8_t* AddressSpace::cpu_elsewhere(std::uint32_t address, std::uint32_t size) {
  if (address - locked_cache_address < locked_cache_bytes_) {
    return inside(locked_cache_.get(), locked_cache_bytes_, address - locked_cache_address, size);
  }
  const std::uint32_t plain = canonical(address);
  if (plain - mem1_address < mem1_backed_)
    return inside(mem1_.get(), mem1_backed_, plain - mem1_address, size);
  if (plain - mem2_address < mem2_bytes && mem2() != nullptr)
    return inside(mem2(), mem2_bytes, plain - mem2_address, size);
  if (profile_->roomy_memory && plain - mem1_address < window_end) return swallow(size);
  return nullptr;
}

void AddressSpace::clear_locked_cache() {
  std::fill_n(locked_cache_.get(), touched_, std::uint8_t{0});
  touched_ = 0;
}

MutableBytes AddressSpace::physical(std::uint32_t address) {
  if (address < mem1_bytes) return {mem1_.get() + address, mem1_backed_ - address};
  const std::uint32_t offset = address - mem2_physical;
  if (offset < mem2_bytes && mem2() != nullptr) return {mem2() + offset, mem2_bytes - offset};
  return {};
}

}  // namespace lockline::emu
