#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/options.hpp"
#include "harness/cli/ram_options.hpp"
#include "harness/text.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string file;
  RamArguments ram;
  emu::MachineOptions machine;
};

std::string text(const harness::RamDifference& d) {
  const std::string author = d.author ? "by " + emu::to_string(*d.author) : "not in a frame";
  return fmt::format("{}  {} bytes from {:#x} on\n  emulated {:02x}  written {}\n  dump     {:02x}\n",
                     harness::printable(d.structure), d.bytes, d.first, fmt::join(d.emulated, ""), author,
                     fmt::join(d.in_dump, ""));
}

void print(const harness::RamComparison& comparison, const BlockInRam& b, const Arguments& a,
           Session& session) {
  for (const harness::RamDifference& d : comparison.differences) session.output.print(text(d));
  for (const emu::Fault& fault : comparison.result.faults) {
    session.output.print(fmt::format("the emulated frame stops in {}[{}]: {}\n", emu::name(fault.step),
                                     fault.entry, fault.dolphin_line()));
  }
  if (comparison.from_dump != 0) {
    session.output.print(
        fmt::format("{} bytes that facial poses write were taken from the dump\n", comparison.from_dump));
  }
  session.output.print(fmt::format("{} at {:#x}: {} of {} bytes differ, in {} structures\n", a.file,
                                   b.address, comparison.bytes, b.file.size(),
                                   comparison.differences.size()));
  if (comparison.bytes != 0 || !comparison.result.faults.empty() || !comparison.recovered.conflicts.empty())
    session.raise(exit_findings);
}

void run(const Arguments& a, Session& session) {
  const auto found = read_block_in_ram(a.file, a.ram, session);
  if (!found) return;
  const auto comparison = session.take(
      a.ram.dump, harness::compare_ram(found->file, found->block, found->image, found->address, a.machine));
  if (!comparison) return;
  say_recovered(comparison->recovered, a.ram.dump);
  print(*comparison, *found, a, session);
}

}  // namespace

void add_compare_ram(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("compare-ram", "Compare a block in the game's memory with its emulation");
  command->add_option("file", a->file, "Model block, as it was loaded")->required()->type_name("FILE");
  add_ram_options(*command, a->ram)->required();
  add_emulation_options(*command, a->machine);
  command->footer(
      "Emulates one frame of the file with the matrices found in the dump and compares every byte. Sums that "
      "grow\n"
      "from frame to frame, and other damage by earlier frames, differ.\n"
      "Exit code 1 when something differs.\n\n"
      "Example:\n  lockline compare-ram luigi.block --ram mem1.raw --address 0x80c12340 --profile "
      "dolphin-5\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
