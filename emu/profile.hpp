#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lockline::emu {

/// How a single-precision multiply-add rounds. Source: arithmetic.md "Two floating-point profiles".
enum class Rounding {
  once,            ///< the exact sum, rounded once to single
  through_double,  ///< the exact sum rounded to double, then to single
};

/// Behaviour that differs between machines: a value, passed in. Dolphin's side is measured in 5.0-17995
/// (emu/README.md).
struct Profile {
  std::string_view name;
  Rounding rounding;
  /// Bytes that answer behind 0xE0000000: Dolphin backs 256 KB, the console has 16 KB.
  std::uint32_t locked_cache_bytes;
  /// What storing a NaN as s16 leaves: Dolphin's JIT 32767 (its interpreter 0); console not measured (assumed
  /// the same).
  std::int16_t stored_nan;
  /// FPSCR[NI] also takes denormal inputs for zero: not in Dolphin; on the console as arithmetic.md says.
  bool denormal_inputs_are_zero;
  /// Dolphin's memory is larger than the console's: 32 MB behind 0x80000000, mirrored up to 0x88000000, a
  /// window of graphics memory and registers that swallows accesses after that, and a DMA engine that takes
  /// locked cache addresses modulo its size.
  bool roomy_memory;

  bool operator==(const Profile&) const = default;
};

/// Dolphin since multiply-adds are exact (2025); the default.
inline constexpr Profile dolphin{"dolphin", Rounding::once, 0x40000, 32767, false, true};
/// Dolphin 5.0-17995 and its time.
inline constexpr Profile dolphin_5{"dolphin-5", Rounding::through_double, 0x40000, 32767, false, true};
/// The console: 16 KB of locked cache, nothing behind it (assumption: the access is a machine check).
inline constexpr Profile console{"console", Rounding::once, 0x4000, 32767, true, false};

inline constexpr std::array<const Profile*, 3> profiles{&dolphin, &dolphin_5, &console};

/// The profile of that name, nullptr when there is none.
const Profile* find_profile(std::string_view name);

}  // namespace lockline::emu
