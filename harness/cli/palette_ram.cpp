#include "harness/cli/palette_ram.hpp"

namespace lockline::cli {

std::optional<Palette> palette_from_ram(const std::string& file, const RamArguments& ram, Session& session) {
  const auto found = read_block_in_ram(file, ram, session);
  if (!found) return std::nullopt;
  auto recovered = session.take(ram.dump, harness::recover_palette(found->block, found->image));
  if (!recovered) return std::nullopt;
  say_recovered(*recovered, ram.dump);
  if (!recovered->conflicts.empty()) session.raise(exit_findings);
  return std::move(recovered->palette);
}

}  // namespace lockline::cli
