#pragma once

#include <string>
#include <string_view>

#include "harness/inspect.hpp"

namespace lockline::harness {

/// `lockline inspect` for people.
std::string inspect_text(std::string_view file, const Block& block, const Inspection& inspection);

}  // namespace lockline::harness
