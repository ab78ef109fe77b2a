#pragma once

#include "harness/check.hpp"

namespace lockline::harness {

/// Gives every finding above a note the other side's opinion: "vanilla never does this" (static rules) and
/// "this is what happens" (emulation) are kept apart, and both are said. A static finding that frames could
/// show, and that none of at least two poses showed, is at most a risk (rules.md). Call once, after all
/// findings are in.
void add_opinions(CheckReport& report);

}  // namespace lockline::harness
