#include "harness/check.hpp"

#include <algorithm>

#include "harness/observation.hpp"
#include "harness/opinion.hpp"

namespace lockline::harness {
namespace {

/// Runs the poses and lets every run.* rule look at every frame.
class Run {
 public:
  Run(const Subject& subject, emu::Machine& machine, const CheckOptions& options, CheckReport& report)
      : subject_(subject),
        machine_(machine),
        watch_(options.watch),
        report_(report),
        findings_(report.findings),
        intent_(subject, machine.options()),
        region_(position_region(subject)),
        loaded_(machine.block().begin(), machine.block().end()) {}

  void run(PoseStream& poses) {
    for (std::uint32_t number = 0; number < poses.size(); ++number) {
      if (!frames(poses.pose(number), poses.frames_per_pose())) return;
    }
  }
  void run(const PoseList& list) {
    for (const Pose& pose : list.poses) {
      if (!frames(pose, list.frames_per_pose)) return;
    }
  }

 private:
  bool frames(const Pose& pose, std::uint32_t count) {
    ++report_.poses;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!frame(pose, i != 0)) return false;
    }
    return true;
  }

  bool frame(const Pose& pose, bool repeats) {
    const emu::FrameResult result = machine_.frame(pose.matrices, &pose.faces);
    Observation observation{.subject = subject_,
                            .machine = machine_,
                            .result = result,
                            .loaded = loaded_,
                            .pose = pose,
                            .region = region_,
                            .first = report_.frames == 0,
                            .strays = strays(subject_, machine_, region_),
                            .wrong = {},
                            .extremes = {},
                            .previous_positions = {}};
    if (!result.stopped) {
      if (!repeats) intent_.frame(pose);
      observation.wrong = intent_.compare(machine_);
      observation.extremes = extremes(subject_, machine_, pose);
      if (repeats) observation.previous_positions = previous_;
    }
    observe(observation);
    const Bytes positions = machine_.block().subspan(region_.begin, region_.end - region_.begin);
    previous_.assign(positions.begin(), positions.end());
    return !result.stopped;
  }

  void observe(const Observation& observation) {
    const FrameRef frame{report_.frames++, observation.pose.name};
    findings_.begin(frame);
    for (const Rule& rule : rules()) {
      if (rule.observe == nullptr) continue;
      findings_.begin(rule);
      rule.observe(observation, findings_);
    }
    if (watch_) watch_(observation);
  }

  const Subject& subject_;
  emu::Machine& machine_;
  const std::function<void(const Observation&)>& watch_;
  CheckReport& report_;
  Findings findings_;
  Intent intent_;
  PositionRegion region_;
  std::vector<std::uint8_t> loaded_;
  std::vector<std::uint8_t> previous_;
};

void sort(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.begin < b.begin;
  });
}

/// With addresses in the pointer fields: an overwritten pointer leads where the game would go.
emu::MachineOptions as_loaded(emu::MachineOptions options) {
  options.pointers = emu::Pointers::addresses;
  return options;
}

}  // namespace

Checker::Checker(CheckOptions options)
    : options_(std::move(options)), machine_(as_loaded(options_.machine)) {}

Expected<CheckReport> Checker::check(Bytes bytes, const Partners& partners) {
  return check(bytes, partners, nullptr);
}

Expected<CheckReport> Checker::check(Bytes bytes, const PoseList& poses) {
  return check(bytes, {}, &poses);
}

Expected<void> Checker::run(const Subject& subject, emu::Machine& machine, const PoseList* poses,
                            CheckReport& report) {
  Run run(subject, machine, options_, report);
  if (poses != nullptr) {
    run.run(*poses);
    return {};
  }
  auto stream = PoseStream::open(options_.poses, subject.block);
  if (stream) {
    run.run(*stream);
  } else if (stream.error().code == ErrorCode::missing) {
    report.not_emulated = stream.error().message;
  } else {
    return tl::unexpected(stream.error());
  }
  return {};
}

Expected<CheckReport> Checker::check(Bytes bytes, const Partners& partners, const PoseList* poses) {
  auto block = parse_block(bytes);
  if (!block) return tl::unexpected(block.error());
  const Subject subject(bytes, *block);
  CheckReport report;
  report.findings = check_static(subject, partners);
  report.skipped = rules_without(partners);
  const auto loaded = machine_.load(bytes, *block);
  if (!loaded && loaded.error().code != ErrorCode::missing) return tl::unexpected(loaded.error());
  if (!loaded) {
    report.not_emulated = loaded.error().message;
  } else if (!block->skn && !block->facial) {
    report.not_emulated = "the model has no skin and no facial poses: no frame changes it";
  } else if (auto ran = run(subject, **loaded, poses, report); !ran) {
    return tl::unexpected(ran.error());
  }
  add_opinions(report);
  sort(report.findings);
  return report;
}

}  // namespace lockline::harness
