#include "harness/diff_text.hpp"

#include <fmt/format.h>

#include <array>

#include "harness/report_text.hpp"
#include "harness/text.hpp"

namespace lockline::harness {
namespace {

std::string_view way(MatchedBy by) {
  constexpr std::array<std::string_view, 6> ways{"by slot",
                                                 "by bind pose and weights",
                                                 "by bind pose and bones (other weights)",
                                                 "by bind pose alone (other bones)",
                                                 "by weights and a bind position at most 3 steps away",
                                                 "by a bind position at most 3 steps away (other weights)"};
  static_assert(near_steps == 3);
  return ways[static_cast<std::size_t>(by)];
}

std::string place(const FrameRef& frame) {
  return fmt::format("frame {} (pose \"{}\")", frame.frame, printable(frame.pose));
}

std::string verdict(const DiffReport& report) {
  if (!report.differs()) return "no difference";
  return fmt::format("{} of {} vertices moved, {} turned, {} rounded otherwise, {} added, {} removed",
                     report.count(VertexChange::moved), report.patched.vertices,
                     report.count(VertexChange::turned), report.count(VertexChange::rounded),
                     report.added.size(), report.removed.size());
}

std::string emulated(const DiffReport& report) {
  if (!report.not_emulated.empty()) return "not emulated: " + report.not_emulated;
  return counted(report.poses, "pose") + ", " + counted(report.frames, "frame");
}

std::string matching(const DiffReport& report) {
  std::string out;
  for (const auto& [by, pairs] : report.matched)
    out += fmt::format("  {} matched {}\n", counted(pairs, "vertex", "vertices"), way(by));
  if (!report.removed.empty()) out += fmt::format("  removed: donor slots {}\n", ranges(report.removed));
  if (!report.added.empty())
    out += fmt::format("  added: slots {} ({} drawn)\n", ranges(report.added), report.added_drawn.size());
  if (report.donor.bones != report.patched.bones)
    out += fmt::format(
        "  the donor has {} bones, the patched model {}: poses are the donor's, bones it lacks stay at "
        "rest\n",
        report.donor.bones, report.patched.bones);
  if (report.donor.shift != report.patched.shift)
    out += fmt::format("  the donor's shift is {}, the patched model's {}: steps are the latter's\n",
                       report.donor.shift, report.patched.shift);
  return out;
}

std::string part(const PartDiff& p, const DiffReport& report) {
  std::string out = fmt::format("  {:<10}  {} of {} moved", p.name, p.moved, p.vertices);
  if (p.turned != 0) out += fmt::format(", {} turned", p.turned);
  if (p.rounded != 0) out += fmt::format(", {} rounded otherwise", p.rounded);
  return out + fmt::format("; at most {:.6g} ({:.1f} steps) in {}; first in {}\n", units(report, p.steps),
                           p.steps, place(p.largest), place(p.first));
}

std::string parts(std::string_view title, const std::vector<PartDiff>& list, const DiffReport& report) {
  if (list.empty()) return "";
  std::string out = fmt::format("\n{}\n", title);
  for (const PartDiff& p : list) out += part(p, report);
  return out;
}

std::string structure(const StructureDiff& s) {
  if (s.donor_bytes == 0)
    return fmt::format("only the patched model has it, {} bytes at {:#x}", s.patched_bytes, s.patched_at);
  if (s.patched_bytes == 0)
    return fmt::format("only the donor has it, {} bytes at {:#x}", s.donor_bytes, s.donor_at);
  std::string out =
      fmt::format("{} of {} bytes differ", s.differing, std::min(s.donor_bytes, s.patched_bytes));
  if (s.differing != 0) out += fmt::format(", from {:#x} on", s.patched_at + s.first);
  if (s.donor_bytes != s.patched_bytes)
    out += fmt::format("; the donor's has {} bytes, the patched model's {}", s.donor_bytes, s.patched_bytes);
  return out;
}

std::string structures(const DiffReport& report) {
  if (report.structures.empty()) return "";
  std::string out = "\nGPL before any frame\n";
  for (const StructureDiff& s : report.structures)
    out += fmt::format("  {}  {}\n", printable(s.name), structure(s));
  return out;
}

std::string overwrites(const DiffReport& report) {
  if (report.overwrites.empty()) return "";
  std::string out = "\nGPL overwritten by a frame of the patched model\n";
  for (const OverwriteDiff& o : report.overwrites) {
    out += fmt::format("  {}  {:#x}-{:#x}  {} of {} bytes differ after {}, written by {}{}\n",
                       printable(o.name), o.begin, o.end, o.bytes, o.end - o.begin, place(o.frame),
                       emu::to_string(o.author), o.in_donor ? "; the donor's is overwritten too" : "");
  }
  return out;
}

std::string faults(const DiffReport& report) {
  std::string out;
  for (const FaultDiff& f : report.faults) {
    out += fmt::format("\n{} stops in {}: {}[{}] after {} vertices; compared are the frames before\n",
                       f.in_patched ? "the patched model" : "the donor", place(f.frame),
                       emu::name(f.fault.step), f.fault.entry, f.fault.stored);
    out += fmt::format("  Dolphin    {}\n", f.fault.dolphin_line());
  }
  return out;
}

std::string findings(const DiffReport& report, bool colour) {
  if (report.findings.empty()) return "";
  std::string out = "\nfindings that only the patched model has\n";
  for (const Finding& finding : report.findings) out += "\n" + finding_text(finding, colour);
  return out;
}

}  // namespace

std::string diff_text(const DiffNames& names, const DiffReport& report, bool colour) {
  return fmt::format("{} against {}: {} ({})\n", printable(names.patched), printable(names.donor),
                     verdict(report), emulated(report)) +
         matching(report) + faults(report) + parts("by entry", report.entries, report) +
         parts("by bone", report.bones, report) + structures(report) + overwrites(report) +
         findings(report, colour);
}

std::string selection_text(const DiffReport& report, std::uint32_t stored) {
  std::string out = "slot\tobject vertex\tdistance\n";
  for (const VertexDiff& v : report.vertices) {
    if (v.change != VertexChange::moved) continue;
    const std::string object = v.slot < stored ? fmt::format("{}", v.slot) : "-";
    out += fmt::format("{}\t{}\t{:.9g}\n", v.slot, object, units(report, v.steps));
  }
  return out;
}

}  // namespace lockline::harness
