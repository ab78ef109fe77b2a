#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/session.hpp"
#include "harness/ram.hpp"

namespace CLI {
class Option;
}

namespace lockline::cli {

/// A memory dump on the command line, and where the block is in it.
struct RamArguments {
  std::string dump;
  std::optional<std::uint32_t> address;
};

/// --ram and --address.
CLI::Option* add_ram_options(CLI::App& command, RamArguments& a);

/// A model block and its bytes in a dump.
struct BlockInRam {
  std::vector<std::uint8_t> file, image;
  Block block;
  std::uint32_t address = 0;
};

/// Reads both files; finds the block when no address is given, and says on standard error where. Nothing when
/// it is not there, or in several places.
std::optional<BlockInRam> read_block_in_ram(const std::string& file, const RamArguments& a, Session& session);

/// Says on standard error which bones have no matrix and where two entries disagree.
void say_recovered(const harness::RecoveredPalette& recovered, const std::string& dump);

}  // namespace lockline::cli
