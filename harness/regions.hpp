#pragma once

#include <string_view>

#include "harness/subject.hpp"

namespace lockline::harness {

/// A submesh's headers are walked at draw time in FUN_8052e99c; a null array pointer ends so. Source: seed
/// ("Pom Pom").
inline constexpr std::string_view draw_null_line = "Invalid read from 0x00000000, PC = 0x8052ec90";
/// A submesh no bone owns, on load. Source: runtime.md "Crash the seeds name".
inline constexpr std::string_view load_unowned_line = "Invalid read from 0x00000008, PC = 0x804FF694";

/// True when memClr ends less than a line after the last accumulation-only slot, so that what it clears
/// beyond is only its round-up to whole lines. One vanilla model (chunk 2 file 0) clears 0x14 bytes of
/// headers that way and runs.
bool memclr_overshoot_is_rounding(const Subject& subject);

}  // namespace lockline::harness
