#pragma once

#include <string>
#include <string_view>

#include "formats/anm.hpp"
#include "harness/inspect.hpp"

namespace lockline::harness {

/// `lockline inspect` for people.
std::string inspect_text(std::string_view file, const Block& block, const Inspection& inspection);

std::string inspect_text(std::string_view file, const Anm& anm);

}  // namespace lockline::harness
