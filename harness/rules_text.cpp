#include "harness/rules_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/text.hpp"

namespace lockline::harness {
namespace {

std::string_view kind(const Rule& rule) {
  if (rule.observe != nullptr) return "emulation";
  return rule.compare != nullptr ? "second model" : "file";
}

std::string_view needs(const Rule& rule) {
  if (rule.observe != nullptr) return "found by running the frames";
  if (rule.partner == Partner::donor) return "found in the file beside its donor (--donor FILE)";
  if (rule.partner == Partner::pair)
    return "found in the file beside its other level of detail (--pair FILE)";
  return "found in the file alone";
}

std::string paragraph(std::string_view label, std::string_view text) {
  constexpr std::size_t label_width = 10;
  return fmt::format("  {:<{}}{}\n", label, label_width, wrap(text, label_width + 2));
}

}  // namespace

std::string rules_text() {
  std::string out;
  for (const Rule& rule : rules())
    out += fmt::format("{:<8} {:<18} {}\n", name(rule.severity), rule.id, wrap(rule.summary, 28));
  return out;
}

std::string rules_json() {
  using Json = nlohmann::ordered_json;
  Json out{{"schema", "lockline-rules-1"}, {"rules", Json::array()}};
  for (const Rule& rule : rules()) {
    out["rules"].push_back({{"id", rule.id},
                            {"severity", name(rule.severity)},
                            {"from", kind(rule)},
                            {"summary", rule.summary},
                            {"consequence", rule.consequence},
                            {"fix", rule.fix},
                            {"evidence", rule.evidence},
                            {"example", rule.example}});
  }
  return out.dump(2) + "\n";
}

std::string rule_text(const Rule& rule) {
  return fmt::format("{}  ({}, {})\n", rule.id, name(rule.severity), needs(rule)) +
         paragraph("rule", rule.summary) + paragraph("broken", rule.consequence) +
         paragraph("to mend", rule.fix) + paragraph("evidence", rule.evidence);
}

}  // namespace lockline::harness
