#include "harness/inspect.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/cli/model_source.hpp"
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

template <class... Content>
void print(const Arguments& a, Session& session, const Content&... content) {
  session.output.print(a.format == Format::json ? harness::inspect_json(a.file, content...)
                                                : harness::inspect_text(a.file, content...));
}

/// A file that is no model block may be an animation bank.
void run(const Arguments& a, Session& session) {
  const auto bytes = session.take(a.file, read_model_bytes(a.file));
  if (!bytes) return;
  if (const auto block = parse_block(*bytes)) {
    print(a, session, *block, harness::inspect(*block, StructureMap(*block)));
  } else if (const auto anm = parse_anm(*bytes)) {
    print(a, session, *anm);
  } else {
    session.fail(a.file, fmt::format("neither a model block ({}) nor an animation bank ({})",
                                     to_string(block.error()), to_string(anm.error())));
  }
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("inspect",
                         "Show what a model consists of and who writes which line, or what an animation bank "
                         "holds");
  command->add_option("file", a->file, "Model block or animation bank")->required()->type_name("FILE");
  add_format(*command, a->format);
  command->footer("Example:\n  lockline inspect luigi.block | less\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
