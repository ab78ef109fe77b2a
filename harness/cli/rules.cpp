#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/cli/corpus_partners.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/session.hpp"
#include "harness/report_text.hpp"
#include "harness/rules_text.hpp"

namespace lockline::cli {
namespace {

/// The rule's findings on the bundled model that breaks it.
void show_example(const harness::Rule& rule, Session& session) {
  if (rule.example.empty()) return;
  const std::string name(rule.example);
  const auto recipe = session.take(name, corpus::find(name));
  const auto bytes = recipe ? session.take(name, corpus::build_bytes(*recipe)) : std::nullopt;
  if (!bytes) return;
  const CorpusPartners partners(*recipe, session);
  harness::Checker checker({});
  const auto report = session.take(name, checker.check(*bytes, partners.get()));
  if (!report) return;
  session.output.print(fmt::format("\nExample: lockline corpus build {} -o {}.block ({})\n\n", name, name,
                                   recipe->description));
  for (const harness::Finding& finding : report->findings) {
    if (finding.rule == rule.id) session.output.print(harness::finding_text(finding, shows_colour(stdout)));
  }
}

void explain(const std::string& id, Session& session) {
  const harness::Rule* rule = harness::find_rule(id);
  if (rule == nullptr) return session.fail(id, "is no rule; 'lockline rules' lists them");
  session.output.print(harness::rule_text(*rule));
  show_example(*rule, session);
}

}  // namespace

void add_rules(CLI::App& app, Session& session) {
  const auto format = std::make_shared<Format>(Format::text);
  CLI::App* list = app.add_subcommand("rules", "List the rules");
  add_format(*list, *format);
  list->callback([format, &session] {
    session.output.print(*format == Format::json ? harness::rules_json() : harness::rules_text());
  });
  const auto id = std::make_shared<std::string>();
  CLI::App* page = app.add_subcommand("explain", "Explain a rule, with a worked example");
  page->add_option("rule", *id, "As 'lockline rules' and the findings name it")->required()->type_name("ID");
  page->footer("Example:\n  lockline explain skn.count.min\n");
  page->callback([id, &session] { explain(*id, session); });
}

}  // namespace lockline::cli
