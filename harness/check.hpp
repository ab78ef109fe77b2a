#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emu/machine.hpp"
#include "harness/finding.hpp"
#include "harness/poses.hpp"
#include "harness/reusable_machine.hpp"
#include "harness/rule.hpp"

namespace lockline::harness {

struct CheckOptions {
  /// How to emulate. `pointers` is set to addresses: an overwritten pointer leads where the game would go.
  emu::MachineOptions machine;
  /// What to run; frames each: PoseStream::frames_per_pose().
  PoseSource poses;
  /// Sees every frame after the rules have; none: nobody does.
  std::function<void(const Observation&)> watch;
};

/// Everything `lockline check` says about one model.
struct CheckReport {
  std::vector<Finding> findings;  ///< worst first, then by place in the block
  std::uint32_t frames = 0;       ///< frames emulated, including one that faulted
  std::uint32_t poses = 0;
  /// Why nothing was emulated; empty when it was.
  std::string not_emulated;
  std::vector<const Rule*> skipped;  ///< rules whose partner was not given
  std::vector<KnownFinding> gone;    ///< in the baseline, but not found
};

/// Checks models one after another on one emulated console (reloaded for each), so that many cost little more
/// than their frames.
class Checker {
 public:
  explicit Checker(CheckOptions options);

  /// Static rules, then the frames with the run.* rules. Errors: those of parse_block (no block at all), and
  /// of Machine::load and PoseStream::open for unusable options.
  Expected<CheckReport> check(Bytes bytes, const Partners& partners = {});
  /// The same with these poses, whatever the options name.
  Expected<CheckReport> check(Bytes bytes, const PoseList& poses);

 private:
  Expected<CheckReport> check(Bytes bytes, const Partners& partners, const PoseList* poses);
  Expected<void> run(const Subject& subject, emu::Machine& machine, const PoseList* poses,
                     CheckReport& report);

  CheckOptions options_;
  ReusableMachine machine_;
};

/// One model.
inline Expected<CheckReport> check(Bytes bytes, const CheckOptions& options) {
  return Checker(options).check(bytes);
}

}  // namespace lockline::harness
