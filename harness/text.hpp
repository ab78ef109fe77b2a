#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockline::harness {

/// The text with everything a terminal would obey (control characters) replaced by '?'. Names in a model are
/// foreign bytes.
std::string printable(std::string_view text);

/// Words wrapped to `width` columns; every line after the first starts with `indent` spaces, the first is
/// taken to start there. No newline at the end.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width = 100);

/// "1 frame", "18 frames"; with `plural` for nouns whose plural takes more than an s.
std::string counted(std::uint32_t number, std::string_view noun, std::string_view plural = {});

}  // namespace lockline::harness
