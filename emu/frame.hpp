#pragma once

#include "emu/machine.hpp"

namespace lockline::emu {

/// Everything one frame works on.
struct FrameContext {
  AddressSpace& space;
  const MachineOptions& options;
  const LoadedModel& model;
  const FacialSection& facial;
  std::span<const Matrix> palette;
  const FacialPoses* poses;
  Trace& trace;
  const RegularFrame* regular;  ///< nullptr: entry by entry
};

/// Runs the steps of one frame in order. Source: runtime.md "Every frame".
FrameResult run_frame(const FrameContext& context);

}  // namespace lockline::emu
