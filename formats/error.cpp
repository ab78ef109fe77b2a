#include "formats/error.hpp"

#include <fmt/format.h>

namespace lockline {

std::string to_string(const Error& error) {
  return fmt::format("{:#08x}: {}: {}", error.offset, error.structure, error.message);
}

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::truncated:
      return "truncated";
    case ErrorCode::bad_magic:
      return "bad-magic";
    case ErrorCode::bad_value:
      return "bad-value";
    case ErrorCode::out_of_bounds:
      return "out-of-bounds";
    case ErrorCode::too_large:
      return "too-large";
    case ErrorCode::cycle:
      return "cycle";
    case ErrorCode::missing:
      return "missing";
  }
  return "unknown";
}

}  // namespace lockline
