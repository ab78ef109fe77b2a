#include "harness/cli/session.hpp"

#include <fmt/format.h>

namespace lockline::cli {

void Session::fail(std::string_view file, std::string_view message) {
  const std::string line = fmt::format("lockline: {}: {}\n", file, message);
  std::fwrite(line.data(), 1, line.size(), stderr);
  raise(exit_unusable);
}

bool Session::check(std::string_view file, const Result<void>& result) {
  if (!result) fail(file, result.error());
  return result.has_value();
}

}  // namespace lockline::cli
