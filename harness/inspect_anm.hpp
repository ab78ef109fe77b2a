#pragma once

#include <string_view>
#include <vector>

#include "formats/anm.hpp"

namespace lockline::harness {

/// A track's type and interpolation in words; `interpolation` has a word for each part of `type` (a matrix
/// has none), in the keys' order: "scale", "Euler", "quaternion", "translation" or "matrix".
struct AnmTrackText {
  explicit AnmTrackText(const AnmTrack& track);

  std::vector<std::string_view> type, interpolation;
};

/// "linear", "SQUAD with ease", ...; "unknown" for 7.
std::string_view name(Interpolation kind);

/// The length of the longest track, 0 without tracks; lengths that are no number do not count.
float longest_track(const AnmSequence& sequence);

}  // namespace lockline::harness
