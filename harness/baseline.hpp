#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "harness/report.hpp"

namespace lockline::harness {

/// Known findings by model: the file's name without its folders.
struct Baseline {
  std::map<std::string, std::vector<KnownFinding>> models;
};

/// harness/schema/baseline-1.schema.json. Errors: bad_value with the JSON path.
Expected<Baseline> parse_baseline(std::string_view text);
/// Deterministic: models by name, findings as they are.
std::string baseline_json(const Baseline& baseline);

/// Marks the findings of a report that are known, and lists the known ones that are gone.
void accept(const Baseline& baseline, std::string_view file, CheckReport& report);
/// All findings of a report become the known ones of its model.
void remember(Baseline& baseline, std::string_view file, const CheckReport& report);

}  // namespace lockline::harness
