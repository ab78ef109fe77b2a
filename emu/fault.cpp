#include "emu/fault.hpp"

#include <fmt/format.h>

namespace lockline::emu {
namespace {

std::string program_counter(const Fault& fault, std::string_view format) {
  if (fault.pc) return fmt::format(fmt::runtime(format), *fault.pc);
  if (fault.pc_offset) return fmt::format("{} routine + {:#x}", name(fault.step), *fault.pc_offset);
  return fmt::format("in the {} step", name(fault.step));
}

std::string_view verb(FaultKind kind) {
  return kind == FaultKind::write ? "write" : "read";
}

}  // namespace

std::string Fault::dolphin_line() const {
  switch (kind) {
    case FaultKind::dma:
      return fmt::format("Unknown Pointer {:#010x} (a DMA command of {}[{}])", address, name(step), entry);
    case FaultKind::foreign_bone:
      return fmt::format("(no line: bone {} is read from beyond the palette)", address);
    default:
      return fmt::format("Invalid {} {:#010x}, PC = {}", kind == FaultKind::write ? "write to" : "read from",
                         address, program_counter(*this, "{:#010x}"));
  }
}

std::string Fault::dolphin_line_mapped() const {
  if (kind == FaultKind::dma || kind == FaultKind::foreign_bone) return dolphin_line();
  // A BAT translates 0x94000000 and the like before nothing answers: then the physical address is printed
  // (measured).
  const std::uint32_t segment = address >> 28;
  const bool translated = segment == 0x9 || segment == 0xD;
  return fmt::format("Unable to resolve {} address {:x} PC {}", verb(kind),
                     translated ? address & 0x1FFFFFFF : address, program_counter(*this, "{:x}"));
}

}  // namespace lockline::emu
