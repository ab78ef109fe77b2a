#include "harness/golden_run.hpp"

#include <fmt/format.h>

namespace lockline::harness {
namespace {

GoldenFault golden_fault(const emu::Fault& fault, std::uint32_t frame) {
  return {frame, fmt::format("{}[{}] after {} vertices: {}", emu::name(fault.step), fault.entry, fault.stored,
                             fault.dolphin_line())};
}

}  // namespace

Expected<GoldenFrames> run_golden(ReusableMachine& reusable, Bytes bytes, const Block& block,
                                  const PoseSource& source, const GoldenFrameSeen& seen) {
  const auto loaded = reusable.load(bytes, block);
  if (!loaded) return tl::unexpected(loaded.error());
  auto poses = PoseStream::open(source, block);
  if (!poses) return tl::unexpected(poses.error());
  emu::Machine& machine = **loaded;
  FrameHasher hash(block);
  GoldenFrames out;
  for (std::uint32_t frame = 0; frame < poses->size(); ++frame) {
    const Pose& pose = poses->pose(frame);
    const emu::FrameResult result = machine.frame(pose.matrices, &pose.faces);
    out.frames.push_back(hash(machine.block()));
    if (result.stopped) out.fault = golden_fault(result.faults.back(), frame);
    if ((seen && !seen(frame, machine)) || result.stopped) break;
  }
  return out;
}

}  // namespace lockline::harness
