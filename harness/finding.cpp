#include "harness/finding.hpp"

#include <algorithm>
#include <array>

namespace lockline::harness {
namespace {
constexpr std::array<std::string_view, 4> names{"note", "risk", "corrupt", "crash"};
constexpr std::array<std::string_view, 7> agreements{"confirmed", "clean",    "not_reached", "not_shown",
                                                     "not_run",   "foreseen", "unforeseen"};
}  // namespace

std::string_view name(Severity severity) {
  return names[static_cast<std::size_t>(severity)];
}

std::string_view name(Agreement agreement) {
  return agreements[static_cast<std::size_t>(agreement)];
}

std::optional<Severity> parse_severity(std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Severity>(found - names.begin());
}

std::optional<Severity> worst(const std::vector<Finding>& findings) {
  if (findings.empty()) return std::nullopt;
  return std::max_element(findings.begin(), findings.end(),
                          [](const Finding& a, const Finding& b) { return a.severity < b.severity; })
      ->severity;
}

}  // namespace lockline::harness
