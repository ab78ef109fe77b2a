#include "emu/bus.hpp"

#include <cstring>

namespace lockline::emu {
namespace {

bool in_main_memory(std::uint32_t address) {
  return address - locked_cache_address >= 0x10000000;
}

std::optional<std::uint32_t> routine_start(const RoutineStarts& starts, Step step) {
  switch (step) {
    case Step::sk1:
      return starts.sk1;
    case Step::sk2:
      return starts.sk2;
    case Step::skacc:
      return starts.skacc;
    default:
      return std::nullopt;
  }
}

}  // namespace

void Bus::write(std::uint32_t address, Bytes bytes, WriteKind kind) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::uint8_t* p = context_.space.cpu(address, size);
  if (p == nullptr) {
    fault(FaultKind::write, address);
    return;
  }
  std::memcpy(p, bytes.data(), size);
  if (in_main_memory(address)) context_.trace.record(address, size, author(kind));
}

void Bus::dma(const DmaCommand& command) {
  const DmaResult result = execute(context_.space, command);
  if (!command.is_load() && result.moved != 0) {
    context_.trace.record(cached(result.memory), result.moved, author(WriteKind::write_back));
  }
  if (result.moved < result.wanted) fault(FaultKind::dma, result.memory + result.moved);
}

void Bus::fault(FaultKind kind, std::uint32_t address, std::optional<std::uint32_t> pc_offset) {
  if (stopped()) return;
  Fault fault{.kind = kind,
              .address = address,
              .step = step_,
              .entry = entry_,
              .pc_offset = pc_offset,
              .pc = {},
              .stored = stored};
  const auto start = routine_start(context_.options.routines, step_);
  if (start && pc_offset) fault.pc = *start + *pc_offset;
  result_.faults.push_back(fault);
  result_.stopped = result_.faults.size() >= context_.options.max_faults;
}

}  // namespace lockline::emu
