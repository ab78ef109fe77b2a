#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "emu/trace.hpp"

namespace lockline::emu {

enum class FaultKind : std::uint8_t {
  read,          ///< the processor reads where nothing answers
  write,         ///< the processor writes where nothing answers
  dma,           ///< a DMA command names main memory that is not there
  foreign_bone,  ///< an entry names a bone past the palette: the game takes unknown heap bytes for a matrix
};

/// An access nobody serves. Sources of the program counters: runtime.md steps 4 to 6.
struct Fault {
  FaultKind kind = FaultKind::read;
  std::uint32_t address = 0;  ///< the first byte asked for; for foreign_bone the bone id
  Step step = Step::sk1;
  std::uint16_t entry = 0;
  /// Program counter relative to the step's routine; unset where the reference does not name the instruction.
  std::optional<std::uint32_t> pc_offset;
  /// Absolute program counter: known for SK1, for the others when the routine's start was given.
  std::optional<std::uint32_t> pc;
  /// Vertices the loop had stored before the access.
  std::uint64_t stored = 0;

  /// The line Dolphin prints, as "Invalid read from 0xe0040000, PC = 0x80523ec4"; a program counter that is
  /// not known absolutely is written as "SK2 routine + 0x19c".
  std::string dolphin_line() const;
  /// The wording when a BAT maps the address: "Unable to resolve read address e0040000 PC 80523ec4".
  std::string dolphin_line_mapped() const;
};

}  // namespace lockline::emu
