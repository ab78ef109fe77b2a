#pragma once

#include <functional>

#include "harness/golden.hpp"
#include "harness/poses.hpp"
#include "harness/reusable_machine.hpp"

namespace lockline::harness {

/// Called after every frame with its number; false ends the run there.
using GoldenFrameSeen = std::function<bool(std::uint32_t, const emu::Machine&)>;

/// Loads a model and runs every pose of the source, one frame each, or up to the frame that faults (which is
/// recorded, as it stands then). Errors: those of the machine and of the poses.
Expected<GoldenFrames> run_golden(ReusableMachine& machine, Bytes bytes, const Block& block,
                                  const PoseSource& poses, const GoldenFrameSeen& seen = nullptr);

}  // namespace lockline::harness
