#include "harness/cli/options.hpp"

#include <vector>

namespace lockline::cli {
namespace {

void add_routine(CLI::App& command, const char* name, std::optional<std::uint32_t>& start,
                 const char* description) {
  command
      .add_option_function<std::uint32_t>(
          name, [&start](std::uint32_t address) { start = address; }, description)
      ->type_name("ADDRESS");
}

}  // namespace

void add_profile(CLI::App& command, const emu::Profile*& profile) {
  std::vector<std::string> names;
  for (const emu::Profile* p : emu::profiles) names.emplace_back(p->name);
  command
      .add_option_function<std::string>(
          "--profile", [&profile](const std::string& name) { profile = emu::find_profile(name); },
          "Machine to emulate: a current Dolphin, Dolphin 5.0, or the console")
      ->check(CLI::IsMember(names))
      ->type_name("NAME")
      ->default_str(std::string(profile->name));
}

void add_core(CLI::App& command, const emu::Kernels*& kernels) {
  command
      .add_option_function<std::string>(
          "--core",
          [&kernels](const std::string& core) {
            kernels = core == "scalar" ? &emu::scalar_kernels() : &emu::simd_kernels();
          },
          "Skinning kernels: the plain reference, or this processor's vectors (same bits)")
      ->check(CLI::IsMember({"scalar", "simd"}))
      ->type_name("")
      ->default_str("simd");
}

void add_format(CLI::App& command, Format& format) {
  command
      .add_option_function<std::string>(
          "--format", [&format](const std::string& f) { format = f == "json" ? Format::json : Format::text; },
          "For people or for programs")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("NAME")
      ->default_str("text");
}

void add_emulation_options(CLI::App& command, emu::MachineOptions& options) {
  add_profile(command, options.profile);
  add_core(command, options.kernels);
  command
      .add_option_function<std::string>(
          "--memclr",
          [&options](const std::string& way) {
            options.memclr = way == "store" ? emu::MemClr::store : emu::MemClr::dcbz;
          },
          "How memClr clears: whole cache lines after SK1 and SK2, or byte by byte before them")
      ->check(CLI::IsMember({"dcbz", "store"}))
      ->type_name("NAME")
      ->default_str("dcbz");
  add_routine(command, "--sk2-routine", options.routines.sk2,
              "Where the game's SK2 routine starts, to print its program counters absolutely");
  add_routine(command, "--skacc-routine", options.routines.skacc, "The same for the SKAcc routine");
}

void add_machine_options(CLI::App& command, emu::MachineOptions& options) {
  add_emulation_options(command, options);
  command.add_option("--address", options.block_address, "Where the block is loaded, a multiple of 32")
      ->type_name("ADDRESS")
      ->default_str("0x80C00000");
}

}  // namespace lockline::cli
