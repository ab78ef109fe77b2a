#include "emu/bus.hpp"

#include <cstring>

namespace lockline::emu {
namespace {

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
    write_across_an_end(address, bytes, kind);
    return;
  }
  std::memcpy(p, bytes.data(), size);
  if (context_.space.is_main_memory(address)) {
    context_.trace.record(context_.space.canonical(address), size, author(kind));
  } else if (locked_cache(address, size) != nullptr) {  // not a window that swallows the write
    context_.space.touch_locked_cache(address - locked_cache_address + size);
  }
}

void Bus::write_across_an_end(std::uint32_t address, Bytes bytes, WriteKind kind) {
  for (std::size_t i = 0; i < bytes.size(); ++i, ++address) {
    if (context_.space.cpu(address, 1) == nullptr) {
      fault(FaultKind::write, address);
      return;
    }
    write(address, bytes.subspan(i, 1), kind);
  }
}

void Bus::dma(const DmaCommand& command) {
  const DmaResult result = execute(context_.space, command);
  if (!command.is_load() && result.moved != 0) {
    context_.trace.record(cached(result.memory), result.moved, author(WriteKind::write_back));
  }
  if (result.unknown_pointer) fault(FaultKind::dma, result.memory);
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
