#pragma once

#include <cstdio>
#include <string_view>

namespace lockline::cli {

/// True when colour belongs on the stream: it is a terminal that can show it, and NO_COLOR is not set.
bool shows_colour(std::FILE* stream);

/// A closed pipe becomes a write error instead of the end of the process.
void ignore_closed_pipes();

/// Standard output, for results only. Remembers the first failed write.
class Output {
 public:
  void print(std::string_view text);
  /// Hands everything to the system. 0, or the error number of the first failed write.
  int finish();

 private:
  int error_ = 0;
};

}  // namespace lockline::cli
