#include "harness/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/finding_json.hpp"
#include "harness/report_text.hpp"
#include "harness/text.hpp"

namespace lockline::harness {
namespace {

/// 5 for an unusable model, then crash 4 .. note 1, clean 0.
int badness(const ScannedModel& model) {
  if (!model.report.report) return 5;
  const auto severity = worst(model.report.report->findings);
  return severity ? 1 + static_cast<int>(*severity) : 0;
}

std::string_view verdict(const ScannedModel& model) {
  constexpr std::string_view names[] = {"clean", "note", "risk", "corrupt", "crash", "unusable"};
  return names[badness(model)];
}

std::string rules_of(const ScannedModel& model) {
  if (!model.report.report) return model.report.report.error();
  std::vector<std::string_view> rules;
  for (const Finding& f : model.report.report->findings)
    if (f.severity != Severity::note && std::find(rules.begin(), rules.end(), f.rule) == rules.end())
      rules.push_back(f.rule);
  return fmt::format("{}", fmt::join(rules, ", "));
}

std::string summary(const ScanReport& report, Severity threshold) {
  std::size_t skinned = 0, failed = 0, unusable = 0;
  for (const ScannedModel& model : report.models) {
    skinned += model.skinned ? 1 : 0;
    unusable += model.report.report ? 0 : 1;
    failed += model.report.report && fails(*model.report.report, threshold) ? 1 : 0;
  }
  return fmt::format(
      "{} directories, {} files: {} model blocks ({} distinct, {} skinned), {} archives, {} other files; {} "
      "failed ({}{}), {} unusable, {}",
      report.directories, report.files, report.blocks, report.models.size(), skinned, report.archives,
      report.others, failed, name(threshold), threshold == Severity::crash ? "" : " or worse", unusable,
      counted(static_cast<std::uint32_t>(report.problems.size()), "problem"));
}

/// Text for HTML: the five characters that mean something there, and control characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? '?' : c;
    }
  }
  return out;
}

constexpr std::string_view page_head =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Lockline scan</title>"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    "<style>:root{color-scheme:light dark}body{font:14px/1.4 system-ui,sans-serif;margin:1.5em "
    "auto;max-width:75em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2em .6em;border-bottom:1px "
    "solid #8884;vertical-align:top}"
    ".crash,.unusable{color:#d32f2f;font-weight:bold}.corrupt{color:#b03a9a}.risk{color:#b26a00}.note{color:#"
    "0a7f8f}"
    "pre{white-space:pre-wrap;background:#8881;padding:.6em}code,td.n{font-family:ui-monospace,monospace}</"
    "style>";

}  // namespace

void sort_worst_first(ScanReport& report) {
  std::stable_sort(report.models.begin(), report.models.end(),
                   [](const ScannedModel& a, const ScannedModel& b) { return badness(a) > badness(b); });
}

std::string scan_text(const ScanReport& report, Severity threshold) {
  std::string out;
  for (const ScannedModel& model : report.models) {
    if (badness(model) <= 1) continue;
    const std::string more =
        model.places.size() == 1 ? "" : fmt::format(" and {} more", model.places.size() - 1);
    out += fmt::format("{:<9} {:<22} {:#010x}  {}\n", verdict(model), model.places.front() + more,
                       model.offset, printable(rules_of(model)));
  }
  for (const std::string& problem : report.problems) out += fmt::format("problem   {}\n", printable(problem));
  return out + summary(report, threshold) + "\n";
}

std::string scan_json(const ScanReport& report, const CheckOptions& options, Severity threshold) {
  using Json = nlohmann::ordered_json;
  Json out{{"schema", "lockline-scan-1"},
           {"profile", options.machine.profile->name},
           {"fail_on", name(threshold)},
           {"counts",
            {{"directories", report.directories},
             {"files", report.files},
             {"blocks", report.blocks},
             {"distinct", report.models.size()},
             {"archives", report.archives},
             {"others", report.others}}},
           {"problems", report.problems},
           {"models", Json::array()}};
  for (const ScannedModel& model : report.models) {
    Json entry{{"places", model.places},
               {"offset", model.offset},
               {"length", model.length},
               {"skinned", model.skinned},
               {"verdict", verdict(model)}};
    if (model.report.report) {
      entry["findings"] = Json::array();
      for (const Finding& f : model.report.report->findings) entry["findings"].push_back(finding_json(f));
    } else {
      entry["error"] = model.report.report.error();
    }
    out["models"].push_back(std::move(entry));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string scan_html(const ScanReport& report, Severity threshold) {
  std::string out(page_head);
  out += fmt::format("<h1>Lockline scan</h1><p>{}</p>", escaped(summary(report, threshold)));
  for (const std::string& problem : report.problems)
    out += fmt::format("<p class=unusable>{}</p>", escaped(problem));
  out += "<table><tr><th>verdict<th>where (chunk/file/member)<th>offset<th>bytes<th>rules</tr>";
  for (std::size_t i = 0; i < report.models.size(); ++i) {
    const ScannedModel& m = report.models[i];
    const bool details = badness(m) > 0;
    out += fmt::format("<tr><td class=\"{0}\">{0}<td>{1}<td class=n>{2:#010x}<td class=n>{3:#x}<td>{4}</tr>",
                       verdict(m), escaped(fmt::format("{}", fmt::join(m.places, ", "))), m.offset, m.length,
                       details ? fmt::format("<a href=\"#m{}\">{}</a>", i,
                                             escaped(rules_of(m).empty() ? "notes" : rules_of(m)))
                               : "");
  }
  out += "</table>";
  for (std::size_t i = 0; i < report.models.size(); ++i) {
    const ScannedModel& m = report.models[i];
    if (badness(m) == 0) continue;
    out += fmt::format("<h2 id=\"m{}\">{}</h2>", i, escaped(m.places.front()));
    if (!m.report.report) out += fmt::format("<p class=unusable>{}</p>", escaped(m.report.report.error()));
    if (m.report.report)
      for (const Finding& f : m.report.report->findings)
        out += fmt::format("<pre>{}</pre>", escaped(finding_text(f, false)));
  }
  return out + "</html>\n";
}

}  // namespace lockline::harness
