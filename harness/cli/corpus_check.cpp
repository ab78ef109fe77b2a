#include <fmt/format.h>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/check.hpp"
#include "harness/cli/corpus_partners.hpp"
#include "harness/cli/session.hpp"

namespace lockline::cli {
namespace {

using harness::Finding;
using harness::Severity;

bool matches(const Finding& finding, const corpus::ExpectedFinding& expected) {
  return finding.rule == expected.rule && name(finding.severity) == expected.severity &&
         (expected.structure.empty() || finding.structure == expected.structure);
}

/// What a recipe promises: these findings and no others above `note`, and Dolphin's line.
bool as_expected(const corpus::Recipe& recipe, const std::vector<Finding>& findings) {
  const auto& expected = recipe.expected;
  const bool all_found = std::all_of(expected.begin(), expected.end(), [&](const auto& e) {
    return std::any_of(findings.begin(), findings.end(), [&](const auto& f) { return matches(f, e); });
  });
  const bool all_promised = std::all_of(findings.begin(), findings.end(), [&](const auto& f) {
    return f.severity == Severity::note ||
           std::any_of(expected.begin(), expected.end(), [&](const auto& e) { return matches(f, e); });
  });
  const bool line_found = std::any_of(findings.begin(), findings.end(), [&](const auto& f) {
    return f.dolphin_line && f.dolphin_line->find(recipe.dolphin) != std::string::npos;
  });
  return all_found && all_promised && (recipe.dolphin.empty() || line_found);
}

/// "crash: skn.count.min, run.fault"; "clean" without anything above `note`.
std::string verdict(const std::vector<Finding>& findings) {
  std::vector<std::string_view> rules;
  for (const Finding& f : findings) {
    if (f.severity != Severity::note && std::find(rules.begin(), rules.end(), f.rule) == rules.end())
      rules.push_back(f.rule);
  }
  if (rules.empty()) return "clean";
  return fmt::format("{}: {}", name(*worst(findings)), fmt::join(rules, ", "));
}

void check_recipe(const corpus::Recipe& recipe, harness::Checker& checker, Session& session) {
  const auto bytes = session.take(recipe.name, corpus::build_bytes(recipe));
  if (!bytes) return;
  const CorpusPartners partners(recipe, session);
  const auto report = session.take(recipe.name, checker.check(*bytes, partners.get()));
  if (!report) return;
  const bool expected = as_expected(recipe, report->findings);
  if (!expected) session.raise(exit_findings);
  session.output.print(
      fmt::format("{:<28} {}{}\n", recipe.name, expected ? "" : "NOT EXPECTED: ", verdict(report->findings)));
}

}  // namespace

void check_corpus(Session& session) {
  harness::Checker checker({});
  for (const corpus::Recipe& recipe : corpus::bundled()) check_recipe(recipe, checker, session);
}

}  // namespace lockline::cli
