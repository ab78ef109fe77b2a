#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "emu/profile.hpp"
#include "formats/view.hpp"

namespace lockline::emu {

/// The memory map. Source: runtime.md "Memory"; what Dolphin adds to it: emu/README.md.
inline constexpr std::uint32_t mem1_address = 0x80000000, mem1_bytes = 24U << 20;
inline constexpr std::uint32_t mem2_address = 0x90000000, mem2_bytes = 64U << 20;
inline constexpr std::uint32_t mem2_physical = 0x10000000;
inline constexpr std::uint32_t uncached = 0x40000000;  ///< added to a cached address
inline constexpr std::uint32_t locked_cache_address = 0xE0000000;

/// Main memory (zero until written) and the locked cache, as the processor and the DMA engine see them.
/// Host memory is claimed when the console's is touched.
class AddressSpace {
 public:
  explicit AddressSpace(const Profile& profile);

  /// False when the host had no memory to give; nothing may be accessed then.
  bool valid() const { return mem1_ != nullptr && locked_cache_ != nullptr; }

  /// Host memory of `size` bytes at an effective address, or nullptr when any of them is not mapped. In a
  /// window that swallows accesses this is a zeroed place that nobody reads again (sizes up to a cache line).
  std::uint8_t* cpu(std::uint32_t address, std::uint32_t size) {
    if (address - mem1_address < mem1_bytes)
      return inside(mem1_.get(), mem1_backed_, address - mem1_address, size);
    return cpu_elsewhere(address, size);
  }

  /// The cached, unmirrored address of main memory that an effective address names; other addresses as they
  /// are.
  std::uint32_t canonical(std::uint32_t address) const;
  /// True when writes at the address stay: not in the locked cache, nor in a window that swallows them.
  bool is_main_memory(std::uint32_t address) const;

  /// Host memory from a physical address to the end of its region, empty when there is none.
  MutableBytes physical(std::uint32_t address);

  /// The whole locked cache of the profile.
  MutableBytes locked_cache() { return {locked_cache_.get(), locked_cache_bytes_}; }
  /// Notes that the first `end` bytes of the locked cache may be other than zero.
  void touch_locked_cache(std::size_t end) { touched_ = std::max(touched_, end); }
  /// Zeroes what was touched.
  void clear_locked_cache();
  const Profile& profile() const { return *profile_; }

 private:
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  using Memory = std::unique_ptr<std::uint8_t[], Free>;
  static Memory allocate(std::size_t bytes);
  static std::uint8_t* inside(std::uint8_t* base, std::uint32_t bytes, std::uint32_t offset,
                              std::uint32_t size) {
    return contains(bytes, offset, size) ? base + offset : nullptr;
  }
  std::uint8_t* cpu_elsewhere(std::uint32_t address, std::uint32_t size);
  std::uint8_t* mem2();
  std::uint8_t* swallow(std::uint32_t size);

  const Profile* profile_;
  std::uint32_t locked_cache_bytes_;
  std::uint32_t mem1_backed_;
  std::size_t touched_ = 0;
  Memory mem1_, mem2_, locked_cache_;
  std::array<std::uint8_t, cache_line> swallowed_{};
};

}  // namespace lockline::emu
