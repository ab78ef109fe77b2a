#include "harness/report_sarif.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/finding_json.hpp"

namespace lockline::harness {
namespace {

using Json = nlohmann::ordered_json;

const char* level(Severity severity) {
  if (severity == Severity::risk) return "warning";
  return severity == Severity::note ? "note" : "error";
}

/// A file's name as a URI, absolute or a relative reference: what RFC 3986 does not allow in a path is
/// percent-encoded, '\' of Windows becomes '/'.
std::string uri(std::string_view file) {
  const bool drive = file.size() > 2 && file[1] == ':' && (file[2] == '\\' || file[2] == '/');
  constexpr std::string_view allowed = "-._~/!$&'()*+,;=@";
  std::string out = drive ? "file:///" : file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') || allowed.find(c) != std::string_view::npos;
    const bool colon = drive && &c == &file[1];
    out += c == '\\' ? "/" : plain || colon ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Json text(std::string_view words) {
  return {{"text", words}};
}

Json rule_json(const Rule& rule) {
  return {{"id", rule.id},
          {"shortDescription", text(rule.summary)},
          {"fullDescription",
           text(fmt::format("{}. Broken: {}. Evidence: {}.", rule.summary, rule.consequence, rule.evidence))},
          {"help", text(rule.fix)},
          {"defaultConfiguration", {{"level", level(rule.severity)}}},
          {"properties", {{"severity", name(rule.severity)}}}};
}

std::string message(const Finding& finding) {
  std::string out =
      fmt::format("{}. In the game: {}. To mend it: {}.", finding.cause, finding.consequence, finding.fix);
  if (finding.dolphin_line) out += fmt::format(" Dolphin prints: {}", *finding.dolphin_line);
  return out;
}

/// The same finding in the next build of the model: by rule and structure, not by offset.
std::string fingerprint(const Finding& finding) {
  const std::string key = fmt::format("{}\n{}", finding.rule, finding.structure);
  return fmt::format("{:016x}", XXH3_64bits(key.data(), key.size()));
}

Json location(const std::string& file, const Finding& finding) {
  Json physical{{"artifactLocation", {{"uri", uri(file)}}}};
  if (finding.begin < finding.end)
    physical["region"] = {{"byteOffset", finding.begin}, {"byteLength", finding.end - finding.begin}};
  return {{"physicalLocation", physical},
          {"logicalLocations", Json::array({{{"fullyQualifiedName", finding.structure}}})}};
}

std::size_t index_of(const Finding& finding) {
  const auto all = rules();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&](const Rule& r) { return r.id == finding.rule; }) -
      all.begin());
}

Json result(const std::string& file, const Finding& finding, bool baseline) {
  Json properties{{"severity", name(finding.severity)}, {"frames", finding.frames}};
  if (finding.first) properties["first"] = frame_json(*finding.first);
  if (finding.opinion)
    properties["opinion"] = {{"agreement", name(finding.opinion->agreement)},
                             {"text", finding.opinion->text}};
  Json out{{"ruleId", finding.rule},
           {"ruleIndex", index_of(finding)},
           {"level", level(finding.severity)},
           {"message", text(message(finding))},
           {"locations", Json::array({location(file, finding)})},
           {"partialFingerprints", {{"ruleAndStructure/v1", fingerprint(finding)}}},
           {"properties", properties}};
  if (baseline) out["baselineState"] = finding.accepted ? "unchanged" : "new";
  return out;
}

/// A known finding that is gone.
Json absent(const std::string& file, const KnownFinding& known) {
  Finding finding;
  finding.rule = known.rule;
  finding.severity = known.severity;
  finding.structure = known.structure;
  Json out = result(file, finding, true);
  if (find_rule(known.rule) == nullptr) out.erase("ruleIndex");
  out["message"] = text("Not found any more.");
  out["baselineState"] = "absent";
  return out;
}

Json notification(const FileReport& file) {
  return {{"level", "error"},
          {"message", text(file.report.error())},
          {"locations",
           Json::array({{{"physicalLocation", {{"artifactLocation", {{"uri", uri(file.file)}}}}}}})}};
}

}  // namespace

std::string report_sarif(std::span<const FileReport> files, const CheckOptions& options,
                         std::string_view version, bool baseline) {
  Json driver{{"name", "lockline"}, {"version", version}, {"rules", Json::array()}};
  for (const Rule& rule : rules()) driver["rules"].push_back(rule_json(rule));
  Json results = Json::array(), notifications = Json::array();
  for (const FileReport& file : files) {
    if (!file.report) {
      notifications.push_back(notification(file));
      continue;
    }
    for (const Finding& finding : file.report->findings)
      results.push_back(result(file.file, finding, baseline));
    for (const KnownFinding& known : file.report->gone) results.push_back(absent(file.file, known));
  }
  const Json invocation{{"executionSuccessful", notifications.empty()},
                        {"toolExecutionNotifications", notifications},
                        {"properties", {{"profile", options.machine.profile->name}}}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"invocations", Json::array({invocation})},
                 {"columnKind", "utf16CodeUnits"},
                 {"results", results}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockline::harness
