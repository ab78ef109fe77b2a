#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "harness/cli/files.hpp"
#include "harness/cli/terminal.hpp"

namespace CLI {
class App;
}

namespace lockline::cli {

/// What the exit code tells, in ascending weight.
enum ExitCode : int {
  exit_clean = 0,
  exit_findings = 1,  ///< findings at or above the threshold, a fault, a verdict other than expected
  exit_unusable = 2,  ///< unusable input, usage, or a result that could not be written
};

/// The largest palette or vector file that is read.
inline constexpr std::size_t max_input_bytes = 256U << 20;

/// One run of the program: where results and errors go, and the exit code so far.
class Session {
 public:
  Output output;

  int exit_code() const { return exit_code_; }
  /// The exit code only ever gets worse.
  void raise(ExitCode code) { exit_code_ = std::max<int>(exit_code_, code); }
  /// "lockline: file: message" on standard error, and exit code 2.
  void fail(std::string_view file, std::string_view message);

  /// The value, or a failure about `file` and nothing.
  template <class T>
  std::optional<T> take(std::string_view file, Result<T> result) {
    if (result) return std::move(*result);
    fail(file, result.error());
    return std::nullopt;
  }
  template <class T>
  std::optional<T> take(std::string_view file, Expected<T> result) {
    return take(file, std::move(result).map_error([](const Error& error) { return to_string(error); }));
  }
  /// True, or a failure about `file`.
  bool check(std::string_view file, const Result<void>& result);

 private:
  int exit_code_ = exit_clean;
};

// Each adds one command; its callback runs it. One file per command.
void add_check(CLI::App& app, Session& session);
void add_diff(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_run(CLI::App& app, Session& session);
void add_palette(CLI::App& app, Session& session);
void add_fuzz(CLI::App& app, Session& session);
void add_golden(CLI::App& app, Session& session);
void add_scan(CLI::App& app, Session& session);
void add_vectors(CLI::App& app, Session& session);
void add_repair(CLI::App& app, Session& session);
void add_rules(CLI::App& app, Session& session);
void add_corpus(CLI::App& app, Session& session);
void add_export(CLI::App& app, Session& session);
void add_compare_ram(CLI::App& app, Session& session);

/// `lockline corpus check`: builds, checks and compares every bundled recipe.
void check_corpus(Session& session);

}  // namespace lockline::cli
