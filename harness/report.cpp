#include "harness/report.hpp"

#include <algorithm>

namespace lockline::harness {

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [&](const Finding& f) { return f.severity == severity; }));
}

bool fails(const CheckReport& report, Severity threshold) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& f) { return !f.accepted && f.severity >= threshold; });
}

}  // namespace lockline::harness
