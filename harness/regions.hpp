#pragma once

#include <string_view>

#include "harness/subject.hpp"

namespace lockline::harness {

/// A submesh's headers are walked at draw time in FUN_8052e99c; a null array pointer ends so. Source: seed
/// ("Pom Pom").
inline constexpr std::string_view draw_null_line = "Invalid read from 0x00000000, PC = 0x8052ec90";
/// A submesh no bone owns, on load. Source: runtime.md "Crash the seeds name".
inline constexpr std::string_view load_unowned_line = "Invalid read from 0x00000008, PC = 0x804FF694";

/// True when memClr reaches the bytes at block offset `begin` only by its round-up to whole lines: it ends
/// less than a line after the last accumulation-only slot, and `begin` lies past that slot. One vanilla model
/// (chunk 2 file 0) clears 0x14 bytes of headers that way and runs.
bool is_memclr_rounding(const Subject& subject, std::uint32_t begin);

}  // namespace lockline::harness
