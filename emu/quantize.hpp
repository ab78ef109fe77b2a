#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "formats/view.hpp"

namespace lockline::emu {

/// The scale a graphics quantization register holds for a byte the game writes into it: the low six bits,
/// signed (0..31, then -32..-1). Source: arithmetic.md "Loads and stores", runtime.md step 3.
constexpr int gqr_scale(std::uint8_t quantize_info) {
  const int low = quantize_info & 0x3F;
  return low < 32 ? low : low - 64;
}

/// 2^exponent for -32 <= exponent <= 32, exact.
constexpr float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(127 + exponent) << 23);
}

/// The type field of a graphics quantization register.
enum class QuantizedType : std::uint8_t { f32 = 0, u8 = 4, u16 = 5, s8 = 6, s16 = 7 };

/// Bytes of one value in memory.
constexpr std::uint32_t bytes_of(QuantizedType type) {
  return type == QuantizedType::f32 ? 4 : type == QuantizedType::u8 || type == QuantizedType::s8 ? 1 : 2;
}

/// psq_l of an integer type: raw x 2^-scale, exact.
template <class Integer>
inline float dequantize(Integer raw, int scale) {
  return static_cast<float>(raw) * power_of_two(-scale);
}

/// psq_st to an integer type: v x 2^scale, clamped to the type's range, truncated toward zero; NaN gives
/// `stored_nan`.
template <class Integer>
inline Integer quantize(float v, int scale, Integer stored_nan) {
  using Limits = std::numeric_limits<Integer>;
  const float scaled = v * power_of_two(scale);
  if (std::isnan(scaled)) return stored_nan;
  constexpr auto lowest = static_cast<float>(Limits::min()), highest = static_cast<float>(Limits::max());
  return static_cast<Integer>(scaled < lowest ? lowest : scaled > highest ? highest : scaled);
}

/// psq_l through GQR7 (s16).
inline float dequantize_s16(std::int16_t raw, int scale) {
  return dequantize(raw, scale);
}

/// psq_l through GQR6 (u8, scale 8): w / 256, exact.
inline float dequantize_weight(std::uint8_t weight) {
  return dequantize(weight, 8);
}

/// psq_st through GQR7 (s16).
inline std::int16_t quantize_s16(float v, int scale, std::int16_t stored_nan) {
  return quantize(v, scale, stored_nan);
}

/// psq_l of any type from memory; floats come as they are, whatever the scale.
inline float dequantize(QuantizedType type, const std::uint8_t* from, int scale) {
  switch (type) {
    case QuantizedType::u8:
      return dequantize(load_be<std::uint8_t>(from), scale);
    case QuantizedType::u16:
      return dequantize(load_be<std::uint16_t>(from), scale);
    case QuantizedType::s8:
      return dequantize(load_be<std::int8_t>(from), scale);
    case QuantizedType::s16:
      return dequantize(load_be<std::int16_t>(from), scale);
    default:
      return load_be<float>(from);
  }
}

/// What a NaN leaves in an integer type: Dolphin's interpreter zero; its JIT the highest value, or the lowest
/// when only one value is stored (measured, emu/README.md).
enum class StoredNan : std::uint8_t { zero, lowest, highest };

struct StoreRules {
  StoredNan nan = StoredNan::highest;
  bool flush_floats = true;  ///< a denormal is stored as zero of its sign in the float type
};

/// psq_st of any type to memory.
inline void quantize(QuantizedType type, float v, int scale, const StoreRules& rules, std::uint8_t* to) {
  const auto integer = [&]<class Integer>(Integer) {
    using Limits = std::numeric_limits<Integer>;
    const Integer nan = rules.nan == StoredNan::zero     ? Integer{0}
                        : rules.nan == StoredNan::lowest ? Limits::min()
                                                         : Limits::max();
    store_be(to, quantize(v, scale, nan));
  };
  switch (type) {
    case QuantizedType::u8:
      return integer(std::uint8_t{});
    case QuantizedType::u16:
      return integer(std::uint16_t{});
    case QuantizedType::s8:
      return integer(std::int8_t{});
    case QuantizedType::s16:
      return integer(std::int16_t{});
    default:
      return store_be(to,
                      rules.flush_floats && std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0F, v) : v);
  }
}

}  // namespace lockline::emu
