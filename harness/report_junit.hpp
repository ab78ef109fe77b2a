#pragma once

#include <span>
#include <string>

#include "harness/report.hpp"

/// `lockline check` for build servers: JUnit XML, a suite per file and a case per rule.
namespace lockline::harness {

/// A case fails with the rule's findings at or above the threshold, lesser ones are its output; a rule whose
/// partner was not given is skipped; an unusable file is a suite with one error.
std::string report_junit(std::span<const FileReport> files, Severity threshold);

}  // namespace lockline::harness
