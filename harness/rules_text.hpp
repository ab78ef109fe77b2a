#pragma once

#include <string>

#include "harness/rule.hpp"

namespace lockline::harness {

/// One line per rule: severity, id, summary.
std::string rules_text();
/// The same with everything the table says; `schema` "lockline-rules-1".
std::string rules_json();

/// The page of one rule: what it demands, what the game does otherwise, how to repair, what says so.
std::string rule_text(const Rule& rule);

}  // namespace lockline::harness
