#include "harness/oracles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockline::harness {
namespace {

emu::MachineOptions fast_options(emu::MachineOptions options) {
  options.trace = false;
  return options;
}

/// The reference: scalar kernels, every access one by one.
emu::MachineOptions exact_options(emu::MachineOptions options) {
  options.trace = false;
  options.exact_path = true;
  options.kernels = &emu::scalar_kernels();
  return options;
}

void judge_report(const CheckReport& report, Judgement& out) {
  out.clean = true;
  for (const Finding& f : report.findings) {
    if (std::find(out.rules.begin(), out.rules.end(), f.rule) == out.rules.end()) out.rules.push_back(f.rule);
    if (f.severity > Severity::note) out.clean = false;
    if (!f.opinion) continue;
    const bool serious = find_rule(f.rule)->severity >= Severity::corrupt &&
                         f.consequence.find("feared: ") != std::string::npos;
    if (f.opinion->agreement == Agreement::clean && serious)
      out.disagreements.push_back(
          {"rules", std::string(f.rule), fmt::format("{}: {}; {}", f.structure, f.cause, f.opinion->text)});
    if (f.opinion->agreement == Agreement::unforeseen && f.severity >= Severity::corrupt)
      out.disagreements.push_back({"emulation", std::string(f.rule),
                                   fmt::format("{}: {}; {}", f.structure, f.cause, f.opinion->text)});
  }
}

}  // namespace

Oracles::Oracles(const CheckOptions& options)
    : options_(options),
      checker_(options),
      fast_(fast_options(options.machine)),
      exact_(exact_options(options.machine)) {}

void Oracles::compare_paths(Bytes bytes, const Block& block, Judgement& out) {
  const auto fast = fast_.load(bytes, block), exact = exact_.load(bytes, block);
  if (!fast || !exact) return;  // nothing to run
  auto poses = PoseStream::open(options_.poses, block);
  if (!poses) return;
  for (std::uint32_t p = 0; p < poses->size(); ++p) {
    const Pose& pose = poses->pose(p);
    const emu::FrameResult a = (*fast)->frame(pose.matrices, &pose.faces),
                           b = (*exact)->frame(pose.matrices, &pose.faces);
    const Bytes x = (*fast)->block(), y = (*exact)->block();
    const auto line = [](const emu::FrameResult& r) {
      return r.faults.empty() ? std::string() : r.faults.back().dolphin_line();
    };
    if (a.stopped != b.stopped || line(a) != line(b)) {
      out.disagreements.push_back(
          {"paths", "fault",
           fmt::format("frame {}: \"{}\" on the fast path, \"{}\" on the exact one", p, line(a), line(b))});
      return;
    }
    const auto [at, other] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
    if (at != x.end()) {
      out.disagreements.push_back(
          {"paths", "memory",
           fmt::format("frame {}: byte {:#x} is {:#04x} on the fast path, {:#04x} on the exact one", p,
                       at - x.begin(), *at, *other)});
      return;
    }
    if (a.stopped) return;
  }
}

Expected<Judgement> Oracles::judge(Bytes bytes) {
  const auto block = parse_block(bytes);
  if (!block) return tl::unexpected(block.error());
  Judgement out;
  const auto again = serialize(*block);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()))
    out.disagreements.push_back({"parse", "serialize", "serialize(parse(x)) is not x"});
  const auto report = checker_.check(bytes);
  if (!report) return tl::unexpected(report.error());
  judge_report(*report, out);
  compare_paths(bytes, *block, out);
  return out;
}

}  // namespace lockline::harness
