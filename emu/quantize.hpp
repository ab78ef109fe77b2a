#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

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

/// psq_l type 7 (s16): raw x 2^-scale, exact.
inline float dequantize_s16(std::int16_t raw, int scale) {
  return static_cast<float>(raw) * power_of_two(-scale);
}

/// psq_l through GQR6 (u8, scale 8): w / 256, exact.
inline float dequantize_weight(std::uint8_t weight) {
  return static_cast<float>(weight) * (1.0F / 256.0F);
}

/// psq_st type 7 (s16): v x 2^scale, clamped to [-32768, 32767], truncated toward zero; NaN gives
/// `stored_nan`.
inline std::int16_t quantize_s16(float v, int scale, std::int16_t stored_nan) {
  const float scaled = v * power_of_two(scale);
  if (std::isnan(scaled)) return stored_nan;
  return static_cast<std::int16_t>(scaled < -32768.0F ? -32768.0F : scaled > 32767.0F ? 32767.0F : scaled);
}

}  // namespace lockline::emu
