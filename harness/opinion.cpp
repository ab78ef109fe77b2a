#include "harness/opinion.hpp"

#include <fmt/format.h>

#include <map>

#include "harness/spans.hpp"
#include "harness/text.hpp"

namespace lockline::harness {
namespace {

bool is_dynamic(const Finding& finding) {
  return finding.first.has_value();
}

/// Findings by the structures they concern. "SKN / SK2[1] / weights" and "SKN / SK2[1]" concern each other.
class Index {
 public:
  void add(const Finding& finding) {
    keep_worst(places_[finding.structure], finding);
    for (const std::string& place : finding.related) keep_worst(places_[place], finding);
    if (finding.begin < finding.end) spans_.add(finding.begin, finding.end, &finding);
  }
  void sort() { spans_.sort(); }

  /// The finding that concerns the same place. `everywhere`: what is about the whole section concerns its
  /// every part.
  const Finding* about(const Finding& finding, bool everywhere = true) const {
    const Finding* found = at(finding.structure);
    for (const std::string& place : finding.related) {
      if (found != nullptr) break;
      if (everywhere || place != "SKN") found = at(place);
    }
    if (found != nullptr || finding.begin >= finding.end) return found;
    const auto* around = spans_.around(finding.begin, finding.end);
    return around == nullptr ? nullptr : around->value;
  }

 private:
  static void keep_worst(const Finding*& place, const Finding& finding) {
    if (place == nullptr || place->severity < finding.severity) place = &finding;
  }

  static constexpr std::string_view separator = " / ";

  const Finding* at(std::string_view place) const {
    const auto inside = places_.lower_bound(place);
    if (inside != places_.end() && inside->first.starts_with(place) &&
        std::string_view(inside->first).substr(place.size()).starts_with(separator))
      return inside->second;
    for (std::string_view around = place;;) {
      if (const auto found = places_.find(around); found != places_.end()) return found->second;
      const auto cut = around.rfind(separator);
      if (cut == std::string_view::npos) return nullptr;
      around = around.substr(0, cut);
    }
  }

  std::map<std::string, const Finding*, std::less<>> places_;
  Spans<const Finding*> spans_;  ///< a finding may be about several structures at once
};

/// What both sides found, by place.
struct Sides {
  Index rules;   ///< static findings at risk and above
  Index faults;  ///< run.fault
  Index damage;  ///< everything else emulated that is at least corrupt
  const Finding* stop = nullptr;
};

Sides sides_of(const std::vector<Finding>& findings) {
  Sides sides;
  for (const Finding& f : findings) {
    if (!is_dynamic(f)) {
      if (f.severity >= Severity::risk) sides.rules.add(f);
      continue;
    }
    if (f.severity < Severity::corrupt) continue;
    const bool fault = f.rule == "run.fault";
    (fault ? sides.faults : sides.damage).add(f);
    if (fault && sides.stop == nullptr) sides.stop = &f;
  }
  for (Index* side : {&sides.rules, &sides.faults, &sides.damage}) side->sort();
  return sides;
}

std::string seen_at(const Finding& other, const Finding& here) {
  const std::string place = other.structure == here.structure ? "" : " at " + other.structure;
  const std::string when = other.first ? fmt::format(", first in frame {}", other.first->frame) : "";
  return fmt::format("{}{}{}", other.rule, place, when);
}

Opinion of_emulation(const Finding& finding, const CheckReport& report, const Sides& sides) {
  const std::string_view unshown = find_rule(finding.rule)->unshown;
  if (!report.not_emulated.empty()) return {Agreement::not_run, report.not_emulated};
  const Finding* shown = sides.faults.about(finding, false);
  if (shown == nullptr && unshown.empty()) shown = sides.damage.about(finding);
  if (shown != nullptr) return {Agreement::confirmed, seen_at(*shown, finding)};
  if (!unshown.empty()) return {Agreement::not_shown, std::string(unshown)};
  if (sides.stop != nullptr && report.frames <= 1)
    return {Agreement::not_reached, fmt::format("the first frame stops at {}", sides.stop->structure)};
  return {Agreement::clean, fmt::format("runs cleanly in {} of {}", counted(report.frames, "frame"),
                                        counted(report.poses, "pose"))};
}

/// A foreseen finding without a repair of its own takes that of its cause.
Opinion of_rules(Finding& finding, const Sides& sides) {
  if (const Finding* cause = sides.rules.about(finding)) {
    if (finding.fix == find_rule(finding.rule)->fix) finding.fix = cause->fix;
    return {Agreement::foreseen, seen_at(*cause, finding)};
  }
  return {Agreement::unforeseen, "no static rule says anything about it"};
}

void soften(Finding& finding) {
  if (finding.severity <= Severity::risk) return;
  finding.severity = Severity::risk;
  finding.consequence =
      "vanilla never does this, and these frames show no damage; feared: " + finding.consequence;
}

}  // namespace

void add_opinions(CheckReport& report) {
  const Sides sides = sides_of(report.findings);
  for (Finding& f : report.findings) {
    if (f.severity == Severity::note || f.opinion) continue;
    f.opinion = is_dynamic(f) ? of_rules(f, sides) : of_emulation(f, report, sides);
  }
  if (report.poses < 2) return;  // in the bind pose alone stale and fresh bytes look alike
  for (Finding& f : report.findings) {
    if (f.opinion && f.opinion->agreement == Agreement::clean) soften(f);
  }
}

}  // namespace lockline::harness
