#pragma once

#include <span>
#include <string>

#include "harness/report.hpp"

/// `lockline check` for code scanning: SARIF 2.1.0 (OASIS standard), one run.
namespace lockline::harness {

/// Rules with their metadata, a result per finding with its bytes, unusable files as notifications. `version`
/// is the tool's. Severities: crash and corrupt "error", risk "warning", note "note". `baseline`: results say
/// whether they are new, known or gone.
std::string report_sarif(std::span<const FileReport> files, const CheckOptions& options,
                         std::string_view version, bool baseline);

}  // namespace lockline::harness
