#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <sstream>

#include "harness/cli/session.hpp"

namespace lockline::cli {
namespace {

constexpr const char* description =
    "Says what Mario Super Sluggers' skinning will do to a character model before anyone starts an emulator.";

constexpr const char* examples = R"(Examples:
  lockline check luigi.block              what will go wrong, where, and how to mend it
  lockline check --fail-on risk *.block   several models, stricter
  lockline diff luigi.block patched.block
                                          what a patch moved, vertex by vertex
  lockline inspect luigi.block            sections, entries, who owns which line
  lockline corpus build sk1-one-odd -o broken.block
                                          a bundled model that crashes, to try things on

Exit code: 0 clean, 1 findings (a fault, a difference), 2 unusable input, wrong usage or an output that cannot be written.
)";

/// CLI11's own words for help, version and usage errors, with this program's exit codes.
void explain(const CLI::App& app, const CLI::ParseError& error, Session& session) {
  std::ostringstream out;
  std::ostringstream err;
  const int code = app.exit(error, out, err);
  session.output.print(out.str());
  std::fputs(err.str().c_str(), stderr);
  if (code != 0) session.raise(exit_unusable);
}

std::string usage_error(const CLI::App* app, const CLI::Error& error) {
  const auto chosen = app->get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
  return fmt::format("lockline: {}\nTry 'lockline{} --help'.\n", error.what(), command);
}

void parse_and_run(int argc, char** argv, Session& session) {
  CLI::App app(description, "lockline");
  app.set_version_flag("--version", "lockline " LOCKLINE_VERSION);
  app.require_subcommand(1);
  app.footer(examples);
  app.failure_message(usage_error);
  app.get_formatter()->column_width(34);
  add_check(app, session);
  add_diff(app, session);
  add_repair(app, session);
  add_scan(app, session);
  add_fuzz(app, session);
  add_inspect(app, session);
  add_run(app, session);
  add_palette(app, session);
  add_golden(app, session);
  add_vectors(app, session);
  add_rules(app, session);
  add_corpus(app, session);
  add_export(app, session);
  add_compare_ram(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    explain(app, error, session);
  }
}

/// A reader that closed the pipe has seen enough: nothing to say. Anything else lost results.
void finish(Session& session) {
  const int error = session.output.finish();
  if (error == EPIPE) session.raise(exit_unusable);
  if (error != 0 && error != EPIPE) session.fail("standard output", std::strerror(error));
}

}  // namespace
}  // namespace lockline::cli

int main(int argc, char** argv) {
  lockline::cli::ignore_closed_pipes();
  lockline::cli::Session session;
  try {
    lockline::cli::parse_and_run(argc, argv, session);
    lockline::cli::finish(session);
  } catch (const std::exception& error) {
    session.fail("cannot go on", error.what());
  }
  return session.exit_code();
}
