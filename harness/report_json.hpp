#pragma once

#include <span>
#include <string>

#include "harness/report.hpp"

/// `lockline check` for programs: schema/check-1.schema.json.
namespace lockline::harness {

/// One document for all files, the unusable ones included. Names that are not UTF-8 get replacement
/// characters.
std::string report_json(std::span<const FileReport> files, const CheckOptions& options, Severity threshold);

}  // namespace lockline::harness
