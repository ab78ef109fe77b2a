#pragma once

#include <string>
#include <vector>

#include "harness/report.hpp"

/// A whole game's models: what was looked at, and the reports put together.
namespace lockline::harness {

/// One distinct model and everywhere it is.
struct ScannedModel {
  std::vector<std::string>
      places;  ///< "12/0", "40/5/3": chunk, file and member; other languages as "12/0 (language 2)"
  std::uint64_t offset = 0;  ///< of the first place's bytes in dt_na.dat
  std::uint32_t length = 0;
  bool skinned = false;
  FileReport report;  ///< named by its first place
};

struct ScanReport {
  std::vector<ScannedModel> models;   ///< worst first, then as the game has them
  std::vector<std::string> problems;  ///< what could not be read: directories, ranges, archives
  std::uint32_t directories = 0, files = 0, blocks = 0, archives = 0,
                others = 0;  ///< places looked at, by what they hold
};

/// Worst first; the order does not depend on how the models were checked.
void sort_worst_first(ScanReport& report);

/// The summary, a line per model with findings, the problems.
std::string scan_text(const ScanReport& report, Severity threshold);
/// harness/schema/scan-1.schema.json.
std::string scan_json(const ScanReport& report, const CheckOptions& options, Severity threshold);
/// One self-contained page: the table, and each model's findings below.
std::string scan_html(const ScanReport& report, Severity threshold);

}  // namespace lockline::harness
