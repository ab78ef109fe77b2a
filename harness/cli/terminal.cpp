#include "harness/cli/terminal.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace lockline::cli {
namespace {

bool is_terminal(std::FILE* stream) {
#if defined(_WIN32)
  return _isatty(_fileno(stream)) != 0;
#else
  return isatty(fileno(stream)) != 0;
#endif
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool shows_colour(std::FILE* stream) {
  if (is_set("NO_COLOR") || !is_terminal(stream)) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

void ignore_closed_pipes() {
#if defined(SIGPIPE)
  std::signal(SIGPIPE, SIG_IGN);
#endif
}

void Output::print(std::string_view text) {
  if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) error_ = errno;
}

int Output::finish() {
  if (error_ == 0 && std::fflush(stdout) != 0) error_ = errno;
  return error_;
}

}  // namespace lockline::cli
