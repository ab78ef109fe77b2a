#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "formats/anm.hpp"

/// Which numbers a key's setting and control data consist of: said once, for reading, writing, making, and
/// key_values / key_controls. Source: formats.md "ANM"; what is assumed is listed in anm.hpp.
namespace lockline {

enum class NumberType : std::uint8_t { u8, s8, u16, s16, f32 };

/// Calls f with a zero of the C++ type.
template <class F>
constexpr auto with_number_type(NumberType type, F f) {
  switch (type) {
    case NumberType::u8:
      return f(std::uint8_t{});
    case NumberType::s8:
      return f(std::int8_t{});
    case NumberType::u16:
      return f(std::uint16_t{});
    case NumberType::s16:
      return f(std::int16_t{});
    case NumberType::f32:
      break;
  }
  return f(float{});
}

/// The nearest value the type holds, toward zero; NaN becomes 0. Floats stay as they are.
template <class Number>
Number narrowed(float value) {
  if constexpr (std::is_same_v<Number, float>) {
    return value;
  } else {
    if (std::isnan(value)) return 0;
    using Limits = std::numeric_limits<Number>;
    if (value <= static_cast<float>(Limits::min())) return Limits::min();
    if (value >= static_cast<float>(Limits::max())) return Limits::max();
    return static_cast<Number>(value);
  }
}

/// `count` numbers of one type.
struct NumberRun {
  NumberType type = NumberType::u8;
  std::uint8_t count = 0;
};

/// Consecutive runs; unused ones are empty.
using NumberRuns = std::array<NumberRun, 6>;

struct RunsSize {
  std::uint32_t numbers = 0, bytes = 0;
};
RunsSize size_of(const NumberRuns& runs);

/// Decoded numbers and how they are stored: what the traversal hands on. Only written and measured.
struct KeyNumbers {
  const std::vector<float>& values;
  const NumberRuns& runs;
};

enum class KeyPartKind : std::uint8_t { scale, euler, quaternion, translation, matrix };

/// One part of a key: `width` numbers in the setting, and what `kind` needs in the control data.
struct KeyPart {
  KeyPartKind part = KeyPartKind::scale;
  NumberType type = NumberType::u8;
  std::uint8_t width = 0;
  Interpolation kind = Interpolation::step;
  float divisor = 1;

  bool has_controls() const {
    return kind == Interpolation::bezier || kind == Interpolation::hermite || kind == Interpolation::squad ||
           kind == Interpolation::squad_ease;
  }
  bool has_eases() const { return kind == Interpolation::hermite || kind == Interpolation::squad_ease; }
};

/// The parts of a track's keys in file order.
class KeyLayout {
 public:
  explicit KeyLayout(const AnmTrack& track);

  std::span<const KeyPart> parts() const { return std::span(parts_).first(count_); }

  /// Why the settings, or the control data alone, have no known layout; null when they have one.
  const char* setting_trouble() const { return setting_trouble_; }
  const char* controls_trouble() const { return controls_trouble_; }

  /// Empty when there is none, or trouble.
  NumberRuns setting() const;
  NumberRuns controls() const;

 private:
  void add(KeyPart part) { parts_[count_++] = part; }
  void add_rotation(const AnmTrack& track, KeyPart quantized);

  std::array<KeyPart, 3> parts_{};
  std::size_t count_ = 0;
  const char* setting_trouble_ = nullptr;
  const char* controls_trouble_ = nullptr;
};

}  // namespace lockline
