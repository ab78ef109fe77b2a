#include "harness/finding.hpp"

#include <algorithm>
#include <array>

namespace lockline::harness {
namespace {
constexpr std::array<std::string_view, 4> names{"note", "risk", "corrupt", "crash"};
}

std::string_view name(Severity severity) {
  return names[static_cast<std::size_t>(severity)];
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
