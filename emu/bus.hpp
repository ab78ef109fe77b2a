#pragma once

#include <cstdint>
#include <vector>

#include "emu/dma.hpp"
#include "emu/frame.hpp"

namespace lockline::emu {

/// Main memory and locked cache with the frame's book-keeping: each access that fails becomes a Fault of the
/// current step and entry, each write to main memory a Trace record. After the last permitted fault
/// `stopped()` holds and the frame unwinds.
class Bus {
 public:
  explicit Bus(const FrameContext& context) : context_(context) {}

  /// Names the step and entry that accesses belong to.
  void enter(Step step, std::uint32_t entry) {
    step_ = step;
    entry_ = static_cast<std::uint16_t>(entry);
  }
  Author author(WriteKind kind) const { return {step_, kind, entry_}; }

  bool stopped() const { return result_.stopped; }
  FrameResult take_result() { return std::move(result_); }

  /// The processor's loads; 0 after a fault.
  template <BigEndian T>
  T read(std::uint32_t address, std::optional<std::uint32_t> pc_offset = {}) {
    const std::uint8_t* p = context_.space.cpu(address, sizeof(T));
    if (p != nullptr) return load_be<T>(p);
    return read_across_an_end<T>(address, pc_offset);
  }

  /// The processor's stores of `bytes` at once; dropped after a fault.
  void write(std::uint32_t address, Bytes bytes, WriteKind kind);

  /// One DMA command. A store is recorded; memory that is not there is a fault.
  void dma(const DmaCommand& command);

  void fault(FaultKind kind, std::uint32_t address, std::optional<std::uint32_t> pc_offset = {});

  /// Host memory of a range of the locked cache, nullptr when the range leaves it.
  std::uint8_t* locked_cache(std::uint32_t address, std::uint64_t size) {
    const MutableBytes cache = context_.space.locked_cache();
    const std::uint32_t offset = address - locked_cache_address;
    return contains(cache.size(), offset, size) ? cache.data() + offset : nullptr;
  }

  AddressSpace& space() { return context_.space; }
  Trace& trace() { return context_.trace; }

  /// Vertices stored by the current loop, for fault reports.
  std::uint64_t stored = 0;

 private:
  /// Dolphin serves an access that crosses an end byte by byte: missing bytes read as 0, each with a line
  /// (measured).
  template <BigEndian T>
  T read_across_an_end(std::uint32_t address, std::optional<std::uint32_t> pc_offset) {
    std::array<std::uint8_t, sizeof(T)> bytes{};
    if (context_.space.cpu(address, 1) == nullptr) {
      fault(FaultKind::read, address, pc_offset);
      return T{};
    }
    for (std::uint32_t i = 0; i < sizeof(T); ++i) {
      const std::uint8_t* p = context_.space.cpu(address + i, 1);
      if (p == nullptr) {
        fault(FaultKind::read, address + i, pc_offset);
      } else {
        bytes[i] = *p;
      }
    }
    return load_be<T>(bytes.data());
  }
  /// ... and stores the bytes before the end, with one line for the first past it (measured).
  void write_across_an_end(std::uint32_t address, Bytes bytes, WriteKind kind);

  const FrameContext& context_;
  Step step_ = Step::facial;
  std::uint16_t entry_ = 0;
  FrameResult result_;
};

}  // namespace lockline::emu
