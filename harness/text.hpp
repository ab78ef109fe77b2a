#pragma once

#include <string>
#include <string_view>

namespace lockline::harness {

/// The text with everything a terminal would obey (control characters) replaced by '?'. Names in a model are
/// foreign bytes.
std::string printable(std::string_view text);

/// Words wrapped to `width` columns; every line after the first starts with `indent` spaces, the first is
/// taken to start there. No newline at the end.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width = 100);

}  // namespace lockline::harness
