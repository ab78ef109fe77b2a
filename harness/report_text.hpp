#pragma once

#include <span>
#include <string>

#include "harness/report.hpp"

/// `lockline check` for people.
namespace lockline::harness {

/// One file: a verdict line, then each finding. Empty for an unusable file (that is an error, not a result).
std::string report_text(const FileReport& file, bool colour);

/// One finding: a head line, then a paragraph for each thing it says.
std::string finding_text(const Finding& finding, bool colour);

/// One line over several files.
std::string summary_text(std::span<const FileReport> files, Severity threshold);

}  // namespace lockline::harness
