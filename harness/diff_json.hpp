#pragma once

#include <string>

#include "harness/diff_text.hpp"

/// `lockline diff` for programs.
namespace lockline::harness {

/// The report as JSON that follows schema/diff-1.schema.json.
std::string diff_json(const DiffNames& names, const DiffReport& report, const CheckOptions& options);

}  // namespace lockline::harness
