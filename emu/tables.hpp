#pragma once

#include "emu/machine.hpp"

/// The SKN section's tables as they stand in memory. Source: formats.md "SKN", runtime.md "Once".
namespace lockline::emu {

/// Field offsets of the SKN header.
namespace skn_field {
inline constexpr std::uint32_t sk1_count = 0x00, sk2_count = 0x02, acc_count = 0x04, quantize_info = 0x06;
inline constexpr std::uint32_t sk1_array = 0x08, sk2_array = 0x0C, acc_array = 0x10, memclr_pointer = 0x14,
                               memclr_size = 0x18;
}  // namespace skn_field

/// Where the library keeps its buffers in the locked cache. Source: runtime.md "Once".
namespace buffer {
inline constexpr std::uint32_t b0 = locked_cache_address, b1 = b0 + 0x1000, b2 = b0 + 0x2000,
                               b3 = b0 + 0x3000;
inline constexpr std::uint32_t acc_set = 0x2000, acc_indices = 0x1000, acc_weights = 0x1800;

constexpr bool odd(std::uint32_t entry) {
  return (entry & 1) != 0;
}
/// SK1 and SK2: the buffer of an entry's vertices; SK2: of its weights; SKAcc: the first of an entry's set.
constexpr std::uint32_t data(std::uint32_t entry) {
  return odd(entry) ? b2 : b0;
}
constexpr std::uint32_t weights(std::uint32_t entry) {
  return odd(entry) ? b3 : b1;
}
constexpr std::uint32_t set(std::uint32_t entry) {
  return odd(entry) ? b0 + acc_set : b0;
}
}  // namespace buffer

/// Cache lines that hold `bytes`.
constexpr std::uint32_t lines_of(std::uint32_t bytes) {
  return (bytes + cache_line - 1) / cache_line;
}

/// One entry; pointers are addresses, `bytes` is vertexOffset + 12 x count.
struct Sk1 {
  std::uint32_t source, destination, bytes;
  std::uint16_t bone, count;
  std::uint8_t vertex_offset;
};
struct Sk2 {
  std::uint32_t source, weights, destination, bytes;
  std::uint16_t bone1, bone2, count;
  std::uint8_t vertex_offset;
};
struct Acc {
  std::uint32_t source, indices, destination, weights;
  std::uint16_t bone, count;
};

/// Reads the tables through `Memory`, which has read<T>(address).
template <class Memory>
class Tables {
 public:
  Tables(Memory& memory, const LoadedModel& model, Pointers pointers)
      : memory_(memory),
        skn_(model.skn),
        skn_base_(pointers == Pointers::offsets ? model.skn : 0),
        position_base_(pointers == Pointers::offsets ? model.positions : 0) {}

  template <BigEndian T>
  T header(std::uint32_t offset) const {
    return memory_.template read<T>(skn_ + offset);
  }
  /// The address of one of the three arrays.
  std::uint32_t array(std::uint32_t offset) const { return skn_base_ + header<std::uint32_t>(offset); }
  std::uint32_t memclr_address() const {
    return position_base_ + header<std::uint32_t>(skn_field::memclr_pointer);
  }

  Sk1 sk1(std::uint32_t at) const {
    Sk1 e{.source = skn_base_ + word(at + 0x30),
          .destination = position_base_ + word(at + 0x34),
          .bytes = 0,
          .bone = half(at + 0x38),
          .count = half(at + 0x3A),
          .vertex_offset = memory_.template read<std::uint8_t>(at + 0x3C)};
    e.bytes = e.vertex_offset + e.count * vertex_stride;
    return e;
  }
  Sk2 sk2(std::uint32_t at) const {
    Sk2 e{.source = skn_base_ + word(at + 0x60),
          .weights = skn_base_ + word(at + 0x64),
          .destination = position_base_ + word(at + 0x68),
          .bytes = 0,
          .bone1 = half(at + 0x6C),
          .bone2 = half(at + 0x6E),
          .count = half(at + 0x70),
          .vertex_offset = memory_.template read<std::uint8_t>(at + 0x72)};
    e.bytes = e.vertex_offset + e.count * vertex_stride;
    return e;
  }
  Acc acc(std::uint32_t at) const {
    return {.source = skn_base_ + word(at + 0x30),
            .indices = skn_base_ + word(at + 0x34),
            .destination = position_base_ + word(at + 0x38),
            .weights = skn_base_ + word(at + 0x3C),
            .bone = half(at + 0x40),
            .count = half(at + 0x42)};
  }

 private:
  std::uint32_t word(std::uint32_t at) const { return memory_.template read<std::uint32_t>(at); }
  std::uint16_t half(std::uint32_t at) const { return memory_.template read<std::uint16_t>(at); }

  Memory& memory_;
  std::uint32_t skn_, skn_base_, position_base_;
};

}  // namespace lockline::emu
