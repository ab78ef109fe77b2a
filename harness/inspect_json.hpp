#pragma once

#include <string>
#include <string_view>

#include "formats/anm.hpp"
#include "harness/inspect.hpp"

namespace lockline::harness {

/// `lockline inspect` for programs: one object, "schema": "lockline-inspect-1".
std::string inspect_json(std::string_view file, const Block& block, const Inspection& inspection);

/// The same for an animation bank: "schema": "lockline-inspect-anm-1".
std::string inspect_json(std::string_view file, const Anm& anm);

}  // namespace lockline::harness
