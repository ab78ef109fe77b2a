#pragma once

#include <CLI/CLI.hpp>

#include "emu/machine.hpp"

/// Options that several commands share.
namespace lockline::cli {

enum class Format { text, json };

void add_profile(CLI::App& command, const emu::Profile*& profile);
/// --core: which kernels transform.
void add_core(CLI::App& command, const emu::Kernels*& kernels);
void add_format(CLI::App& command, Format& format);
/// --profile, --core, --memclr and where the routines start.
void add_emulation_options(CLI::App& command, emu::MachineOptions& options);
/// These and --address.
void add_machine_options(CLI::App& command, emu::MachineOptions& options);

}  // namespace lockline::cli
