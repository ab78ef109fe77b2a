#include "harness/cli/ram_options.hpp"

#include "harness/cli/model_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace lockline::cli {
namespace {

std::optional<std::uint32_t> search(const harness::RamDump& dump, const BlockInRam& b,
                                    const std::string& file, Session& session) {
  const auto found = harness::find_block(dump, b.file, b.block);
  if (found.size() == 1) {
    fmt::print(stderr, "lockline: {}: the block is at {:#x}\n", file, found[0]);
    return found[0];
  }
  if (found.empty()) {
    session.fail(file, "the block is not there: no place has its section headers");
  } else {
    session.fail(file,
                 fmt::format("the block may be at {:#x}; choose one with --address", fmt::join(found, ", ")));
  }
  return std::nullopt;
}

}  // namespace

CLI::Option* add_ram_options(CLI::App& command, RamArguments& a) {
  auto* ram = command
                  .add_option("--ram", a.dump,
                              "Raw memory dump of Dolphin: mem1.raw, or mem2.raw (what is larger than 32 MB)")
                  ->type_name("DUMP");
  command
      .add_option_function<std::uint32_t>(
          "--address", [&a](std::uint32_t address) { a.address = address; },
          "Where the block is in the game's memory, 0x80... or 0x90...; left out: searched for")
      ->type_name("ADDRESS")
      ->needs(ram);
  return ram;
}

std::optional<BlockInRam> read_block_in_ram(const std::string& file, const RamArguments& a,
                                            Session& session) {
  auto bytes = session.take(file, read_model_bytes(file));
  if (!bytes) return std::nullopt;
  auto block = session.take(file, parse_block(*bytes));
  const auto memory = session.take(a.dump, read_file(a.dump, harness::max_dump_bytes));
  if (!block || !memory) return std::nullopt;
  BlockInRam out{std::move(*bytes), {}, std::move(*block), 0};
  const harness::RamDump dump = harness::ram_dump(*memory);
  const auto address = a.address ? a.address : search(dump, out, a.dump, session);
  if (!address) return std::nullopt;
  const auto image = session.take(a.dump, harness::block_in(dump, *address, out.file.size()));
  if (!image) return std::nullopt;
  out.image.assign(image->begin(), image->end());
  out.address = *address;
  return out;
}

void say_recovered(const harness::RecoveredPalette& recovered, const std::string& dump) {
  if (!recovered.unknown.empty()) {
    fmt::print(stderr, "lockline: {}: no entry uses bone {}: identity\n", dump,
               fmt::join(recovered.unknown, ", "));
  }
  for (const harness::MatrixConflict& c : recovered.conflicts) {
    fmt::print(
        stderr,
        "lockline: {}: bone {} has different matrices in {} and {}: dumped in the middle of a frame, or "
        "overwritten; the first is taken\n",
        dump, c.bone, c.first, c.second);
  }
}

}  // namespace lockline::cli
