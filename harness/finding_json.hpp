#pragma once

#include <nlohmann/json.hpp>

#include "harness/finding.hpp"

/// Private. What several JSON reports say in the same words.
namespace lockline::harness {

inline nlohmann::ordered_json frame_json(const FrameRef& frame) {
  return {{"frame", frame.frame}, {"pose", frame.pose}};
}

nlohmann::ordered_json finding_json(const Finding& finding);

}  // namespace lockline::harness
