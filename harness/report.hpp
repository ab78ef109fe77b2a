#pragma once

#include <array>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/check.hpp"

namespace lockline::harness {

/// What came of checking one file.
struct FileReport {
  std::string file;                               ///< as the user named it
  tl::expected<CheckReport, std::string> report;  ///< or why the file is unusable, for people
};

/// Severities, worst first: the order of every report.
inline constexpr std::array severities{Severity::crash, Severity::corrupt, Severity::risk, Severity::note};

/// Number of findings of one severity, accepted ones included.
std::size_t count(const std::vector<Finding>& findings, Severity severity);

/// True when any finding that the baseline does not accept is at or above the threshold.
bool fails(const CheckReport& report, Severity threshold);

}  // namespace lockline::harness
