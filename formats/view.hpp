#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace lockline {

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

/// Unsigned integer of the same size as T.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>>;

/// A number the formats store: 1, 2 or 4 bytes, big-endian, integer or IEEE float (bit pattern kept, NaN
/// included).
template <class T>
concept BigEndian = std::is_arithmetic_v<T> &&(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4);

/// Reads one big-endian number at p; the caller has checked that sizeof(T) bytes are there.
template <BigEndian T>
inline T load_be(const std::uint8_t* p) {
  BitsOf<T> raw;
  std::memcpy(&raw, p, sizeof raw);
  if constexpr (std::endian::native == std::endian::little) {
    if constexpr (sizeof(T) == 2) raw = __builtin_bswap16(raw);
    if constexpr (sizeof(T) == 4) raw = __builtin_bswap32(raw);
  }
  return std::bit_cast<T>(raw);
}

/// Writes one big-endian number at p; the caller has checked that sizeof(T) bytes are there.
template <BigEndian T>
inline void store_be(std::uint8_t* p, T value) {
  auto raw = std::bit_cast<BitsOf<T>>(value);
  if constexpr (std::endian::native == std::endian::little) {
    if constexpr (sizeof(T) == 2) raw = __builtin_bswap16(raw);
    if constexpr (sizeof(T) == 4) raw = __builtin_bswap32(raw);
  }
  std::memcpy(p, &raw, sizeof raw);
}

/// True when [offset, offset + length) lies inside `size` bytes, without overflow.
constexpr bool contains(std::uint64_t size, std::uint64_t offset, std::uint64_t length) {
  return offset <= size && length <= size - offset;
}

/// The next multiple of `alignment`, or the value itself when it is one.
template <std::unsigned_integral T>
constexpr T align_up(T value, std::type_identity_t<T> alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// One cache line of the console's processor, in bytes; also the DMA engine's unit.
inline constexpr std::uint32_t cache_line = 32;

}  // namespace lockline
