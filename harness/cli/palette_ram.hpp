#pragma once

#include "harness/cli/ram_options.hpp"

namespace lockline::cli {

/// The palette that the game last used for the block, from a memory dump. Exit code 1 when two entries
/// disagree.
std::optional<Palette> palette_from_ram(const std::string& file, const RamArguments& ram, Session& session);

}  // namespace lockline::cli
