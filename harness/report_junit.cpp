#include "harness/report_junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "harness/report_text.hpp"
#include "harness/text.hpp"

namespace lockline::harness {
namespace {

void set(pugi::xml_node node, const char* attribute, std::string_view value) {
  node.append_attribute(attribute).set_value(std::string(value).c_str());
}

/// XML holds UTF-8 only, and no control characters.
std::string xml_safe(std::string_view text) {
  std::string out = printable(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) > 0x7E; }, '?');
  return out;
}

/// Adds the rule's case; true when it fails.
bool add_case(pugi::xml_node suite, const std::string& file, const Rule& rule, const CheckReport& report,
              Severity threshold) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", file);
  set(test, "name", rule.id);
  std::string failing, other, first;
  for (const Finding& finding : report.findings) {
    if (finding.rule != rule.id) continue;
    const bool fails = !finding.accepted && finding.severity >= threshold;
    (fails ? failing : other) += finding_text(finding, false);
    if (fails && first.empty()) first = finding.cause;
  }
  if (!failing.empty()) {
    pugi::xml_node failure = test.append_child("failure");
    set(failure, "type", name(rule.severity));
    set(failure, "message", xml_safe(first));
    failure.text().set(failing.c_str());
  }
  if (!other.empty()) test.append_child("system-out").text().set(other.c_str());
  if (std::find(report.skipped.begin(), report.skipped.end(), &rule) != report.skipped.end())
    set(test.append_child("skipped"), "message", why_skipped(rule.partner));
  return !failing.empty();
}

void add_suite(pugi::xml_node root, const FileReport& file, Severity threshold) {
  pugi::xml_node suite = root.append_child("testsuite");
  const std::string name = xml_safe(file.file);
  set(suite, "name", name);
  if (!file.report) {
    set(suite, "tests", "1");
    set(suite, "errors", "1");
    set(suite, "failures", "0");
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "classname", name);
    set(test, "name", "readable");
    set(test.append_child("error"), "message", xml_safe(file.report.error()));
    return;
  }
  std::size_t failures = 0;
  for (const Rule& rule : rules()) failures += add_case(suite, name, rule, *file.report, threshold);
  set(suite, "tests", std::to_string(rules().size()));
  set(suite, "errors", "0");
  set(suite, "failures", std::to_string(failures));
  set(suite, "skipped", std::to_string(file.report->skipped.size()));
}

}  // namespace

std::string report_junit(std::span<const FileReport> files, Severity threshold) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "lockline check");
  for (const FileReport& file : files) add_suite(root, file, threshold);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace lockline::harness
