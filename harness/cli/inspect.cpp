#include "harness/inspect.hpp"

#include <memory>

#include "harness/cli/options.hpp"
#include "harness/cli/session.hpp"
#include "harness/inspect_json.hpp"
#include "harness/inspect_text.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string file;
  Format format = Format::text;
};

void run(const Arguments& a, Session& session) {
  const auto bytes = session.take(a.file, read_file(a.file, max_block_bytes));
  if (!bytes) return;
  const auto block = session.take(a.file, parse_block(*bytes));
  if (!block) return;
  const auto inspection = harness::inspect(*block, StructureMap(*block));
  session.output.print(a.format == Format::json ? harness::inspect_json(a.file, *block, inspection)
                                                : harness::inspect_text(a.file, *block, inspection));
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("inspect", "Show what a model consists of and who writes which line");
  command->add_option("file", a->file, "Model block")->required()->type_name("FILE");
  add_format(*command, a->format);
  command->footer("Example:\n  lockline inspect luigi.block | less\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
