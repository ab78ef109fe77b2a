#include "harness/report_json.hpp"

#include "harness/finding_json.hpp"

namespace lockline::harness {
namespace {

using Json = nlohmann::ordered_json;

Json counts(const std::vector<Finding>& findings) {
  Json out;
  for (const Severity severity : severities) out[std::string(name(severity))] = count(findings, severity);
  return out;
}

Json file_json(const FileReport& file, Severity threshold) {
  if (!file.report) return {{"file", file.file}, {"error", file.report.error()}};
  const CheckReport& report = *file.report;
  Json out{{"file", file.file},
           {"failed", fails(report, threshold)},
           {"counts", counts(report.findings)},
           {"poses", report.poses},
           {"frames", report.frames},
           {"not_emulated", nullptr},
           {"skipped", Json::array()},
           {"gone", Json::array()},
           {"findings", Json::array()}};
  if (!report.not_emulated.empty()) out["not_emulated"] = report.not_emulated;
  for (const Rule* rule : report.skipped)
    out["skipped"].push_back({{"rule", rule->id}, {"why", why_skipped(rule->partner)}});
  for (const KnownFinding& known : report.gone)
    out["gone"].push_back(
        {{"rule", known.rule}, {"structure", known.structure}, {"severity", name(known.severity)}});
  for (const Finding& finding : report.findings) out["findings"].push_back(finding_json(finding));
  return out;
}

}  // namespace

nlohmann::ordered_json finding_json(const Finding& finding) {
  nlohmann::ordered_json out{{"rule", finding.rule},
                             {"severity", name(finding.severity)},
                             {"structure", finding.structure},
                             {"begin", finding.begin},
                             {"end", finding.end},
                             {"first", nullptr},
                             {"frames", finding.frames},
                             {"cause", finding.cause},
                             {"consequence", finding.consequence},
                             {"fix", finding.fix},
                             {"dolphin_line", nullptr},
                             {"related", finding.related},
                             {"opinion", nullptr},
                             {"accepted", finding.accepted}};
  if (finding.first) out["first"] = frame_json(*finding.first);
  if (finding.dolphin_line) out["dolphin_line"] = *finding.dolphin_line;
  if (finding.opinion)
    out["opinion"] = {{"agreement", name(finding.opinion->agreement)}, {"text", finding.opinion->text}};
  return out;
}

std::string report_json(std::span<const FileReport> files, const CheckOptions& options, Severity threshold) {
  Json out{{"schema", "lockline-check-1"},
           {"profile", options.machine.profile->name},
           {"memclr", options.machine.memclr == emu::MemClr::dcbz ? "dcbz" : "store"},
           {"fail_on", name(threshold)},
           {"files", Json::array()}};
  for (const FileReport& file : files) out["files"].push_back(file_json(file, threshold));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockline::harness
