#include "harness/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/text.hpp"

namespace lockline::harness {
namespace {

constexpr std::size_t label_width = 11;

/// The severity's name in its colour.
std::string painted(Severity severity, bool colour) {
  if (!colour) return std::string(name(severity));
  constexpr std::array codes{"36", "33", "35", "1;31"};  // note cyan, risk yellow, corrupt magenta, crash red
  return fmt::format("\033[{}m{}\033[0m", codes[static_cast<std::size_t>(severity)], name(severity));
}

std::string verdict(const CheckReport& report, bool colour) {
  std::string out;
  for (const Severity severity : severities) {
    const auto findings =
        std::count_if(report.findings.begin(), report.findings.end(),
                      [&](const Finding& f) { return f.severity == severity && !f.accepted; });
    if (findings == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", findings, painted(severity, colour));
  }
  return out.empty() ? "clean" : out;
}

std::string emulated(const CheckReport& report) {
  if (!report.not_emulated.empty()) return "not emulated: " + report.not_emulated;
  return counted(report.poses, "pose") + ", " + counted(report.frames, "frame");
}

std::string paragraph(std::string_view label, std::string_view text) {
  return fmt::format("  {:<{}}{}\n", label, label_width, wrap(printable(text), label_width + 2));
}

std::string seen(const Finding& finding) {
  return fmt::format("first in frame {} (pose \"{}\"), seen in {}", finding.first->frame, finding.first->pose,
                     counted(finding.frames, "frame"));
}

/// Both opinions in a line: what the emulation shows of a rule, or the rule that foresaw what it shows.
std::string other_side(const Opinion& opinion) {
  switch (opinion.agreement) {
    case Agreement::confirmed:
      return paragraph("emulated", "confirmed: " + opinion.text);
    case Agreement::clean:
      return paragraph("emulated",
                       fmt::format("{}: vanilla never does this, yet no damage shows", opinion.text));
    case Agreement::not_reached:
      return paragraph("emulated", "not reached: " + opinion.text);
    case Agreement::not_shown:
      return paragraph("emulated", "cannot show it: " + opinion.text);
    case Agreement::not_run:
      return paragraph("emulated", "no: " + opinion.text);
    case Agreement::foreseen:
      return paragraph("rules", "foreseen by " + opinion.text);
    case Agreement::unforeseen:
      return paragraph("rules", opinion.text);
  }
  return "";
}

/// What the baseline took away, and what it still waits for.
std::string baseline_text(const CheckReport& report) {
  std::string out;
  const auto accepted = std::count_if(report.findings.begin(), report.findings.end(),
                                      [](const Finding& f) { return f.accepted; });
  if (accepted != 0)
    out += fmt::format("  accepted by the baseline: {}\n",
                       counted(static_cast<std::uint32_t>(accepted), "finding"));
  for (const KnownFinding& known : report.gone)
    out += fmt::format("  in the baseline, not found any more: {} at {}\n", known.rule,
                       printable(known.structure));
  return out;
}

}  // namespace

std::string finding_text(const Finding& finding, bool colour) {
  std::string out = fmt::format("{}  {}  {}  {:#x}-{:#x}\n", painted(finding.severity, colour), finding.rule,
                                printable(finding.structure), finding.begin, finding.end);
  out += paragraph("what", finding.cause);
  if (finding.first) out += paragraph("when", seen(finding));
  out += paragraph("in game", finding.consequence);
  out += paragraph("to mend it", finding.fix);
  if (finding.opinion) out += other_side(*finding.opinion);
  if (finding.dolphin_line) out += fmt::format("  {:<{}}{}\n", "Dolphin", label_width, *finding.dolphin_line);
  return out;
}

std::string report_text(const FileReport& file, bool colour) {
  if (!file.report) return "";
  std::string out = fmt::format("{}: {} ({})\n", printable(file.file), verdict(*file.report, colour),
                                emulated(*file.report));
  for (const Rule* rule : file.report->skipped)
    out += fmt::format("  not checked: {}, {}\n", rule->id, why_skipped(rule->partner));
  out += baseline_text(*file.report);
  bool any = false;
  for (const Finding& finding : file.report->findings) {
    if (finding.accepted) continue;
    out.append("\n").append(finding_text(finding, colour));
    any = true;
  }
  return any ? out + "\n" : out;
}

std::string summary_text(std::span<const FileReport> files, Severity threshold) {
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (const FileReport& file : files) {
    if (file.report) ++(fails(*file.report, threshold) ? failed : passed);
  }
  return fmt::format("{} files: {} passed, {} failed ({}{}), {} unusable\n", files.size(), passed, failed,
                     name(threshold), threshold == Severity::crash ? "" : " or worse",
                     files.size() - passed - failed);
}

}  // namespace lockline::harness
