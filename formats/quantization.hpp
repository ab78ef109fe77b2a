#pragma once

#include <cstdint>

#include "formats/error.hpp"

namespace lockline {

/// A quantization byte of an array header: high nibble = format, low nibble = shift; value = raw / 2^shift.
/// Source: formats.md "Quantization byte".
struct Quantization {
  std::uint8_t raw = 0;

  std::uint8_t format() const { return raw >> 4; }
  std::uint8_t shift() const { return raw & 15; }
};

/// How one component of a position, normal or UV array is stored.
enum class ComponentType { s16, u16, f32 };

/// 0, 3: s16; 2: u16 (one public tool reads it so; assumption); 4, 7, 0xA: f32. Others: bad_value.
/// `offset` and `structure` go into the error.
Expected<ComponentType> component_type(Quantization q, std::uint32_t offset, const char* structure);

/// 2 for s16 and u16, 4 for f32.
constexpr std::uint32_t component_size(ComponentType type) {
  return type == ComponentType::f32 ? 4 : 2;
}

/// The seed's component_size(quantize_info): 4 for formats 4, 7 and 0xA, else 2 — whatever the format.
constexpr std::uint32_t seed_component_size(std::uint8_t quantize) {
  const auto format = quantize >> 4;
  return format == 4 || format == 7 || format == 0xA ? 4 : 2;
}

/// Bytes of one colour by high nibble: 0 RGB565 2, 1 RGB8 3, 2 RGBX8 4, 3 RGBA4 2, 4 RGBA6 3, 5 RGBA8 4;
/// others: bad_value.
Expected<std::uint32_t> colour_size(Quantization q, std::uint32_t offset, const char* structure);

}  // namespace lockline
