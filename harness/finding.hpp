#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockline::harness {

/// What a broken rule means in the game. Source: rules.md. Ordered: a later one is worse.
enum class Severity : std::uint8_t {
  note,     ///< differs from every vanilla model
  risk,     ///< it may go wrong, or only on the console
  corrupt,  ///< it draws or plays wrong
  crash,    ///< the game stops
};

std::string_view name(Severity severity);
std::optional<Severity> parse_severity(std::string_view name);

/// When a dynamic rule fired first.
struct FrameRef {
  std::uint32_t frame = 0;  ///< counted over the whole run, from 0
  std::string pose;         ///< "rest", "random 3", "palette 12"

  bool operator==(const FrameRef&) const = default;
};

/// What the other side says of a finding: the emulation of a static one, the static rules of a dynamic one.
enum class Agreement : std::uint8_t {
  confirmed,    ///< the emulation shows damage there
  clean,        ///< every frame ran without a trace of it: the two disagree
  not_reached,  ///< the emulation stopped at a fault elsewhere before it could tell
  not_shown,    ///< nothing that a skinning frame could show
  not_run,      ///< nothing was emulated
  foreseen,     ///< a static rule names the cause
  unforeseen,   ///< no static rule says anything about it
};

std::string_view name(Agreement agreement);

struct Opinion {
  Agreement agreement = Agreement::not_run;
  std::string text;  ///< "run.stale at SKN / SK2[3], first in frame 0"
};

/// One verdict about one place: what, where, when, why, what follows, what to do.
struct Finding {
  std::string_view rule;  ///< id, as in rules.md
  Severity severity = Severity::note;
  std::string structure;                    ///< as the structure map names it: "SKN / SK1[3]"
  std::uint32_t begin = 0, end = 0;         ///< block offsets of the bytes concerned, end exclusive
  std::optional<FrameRef> first;            ///< dynamic rules only
  std::uint32_t frames = 0;                 ///< number of frames it was seen in; 0 for static rules
  std::string cause;                        ///< what is wrong, with numbers
  std::string consequence;                  ///< what the game does then
  std::string fix;                          ///< what to change, with numbers
  std::optional<std::string> dolphin_line;  ///< the very line Dolphin prints
  /// Other structures it concerns: the entry that writes, the one that suffers. "SKN": the whole section.
  std::vector<std::string> related;
  std::optional<Opinion> opinion;  ///< of the other side; none for notes
  bool accepted = false;           ///< known to the baseline: does not make a model fail
};

/// A finding that was looked at and is known: by rule and structure, so that it survives when bytes move.
struct KnownFinding {
  std::string rule;
  std::string structure;
  Severity severity = Severity::note;  ///< a worse one is news

  bool operator==(const KnownFinding&) const = default;
};

/// The worst severity; nullopt when there are no findings.
std::optional<Severity> worst(const std::vector<Finding>& findings);

}  // namespace lockline::harness
