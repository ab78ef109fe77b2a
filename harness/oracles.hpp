#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/check.hpp"

namespace lockline::harness {

/// Two opinions about a model that should be one.
struct Disagreement {
  std::string oracle;  ///< "rules", "emulation", "paths", "parse"
  std::string cause;   ///< what repeats are folded by: "skn.size.sk1", "run.stale", "simd"
  std::string text;    ///< for people
};

/// What one model brought to light.
struct Judgement {
  std::vector<Disagreement> disagreements;
  std::vector<std::string_view> rules;  ///< that fired, each once
  bool clean = false;                   ///< nothing above a note
};

/// Judges models one after another, on machines that are used again.
///   rules      a rule calls it a crash or corrupt, and no frame shows it
///   emulation  a frame breaks, and no static rule foresees it
///   paths      SIMD, scalar and exact path leave different memory or different faults
///   parse      serialize(parse(x)) is not x
class Oracles {
 public:
  explicit Oracles(const CheckOptions& options);

  /// Errors: those of parse_block and Checker::check.
  Expected<Judgement> judge(Bytes bytes);

 private:
  void compare_paths(Bytes bytes, const Block& block, Judgement& out);

  CheckOptions options_;
  Checker checker_;
  ReusableMachine fast_, exact_;
};

}  // namespace lockline::harness
