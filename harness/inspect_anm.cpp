#include "harness/inspect_anm.hpp"

#include <algorithm>

namespace lockline::harness {

std::string_view name(Interpolation kind) {
  switch (kind) {
    case Interpolation::step:
      return "step";
    case Interpolation::linear:
      return "linear";
    case Interpolation::bezier:
      return "Bezier";
    case Interpolation::hermite:
      return "Hermite";
    case Interpolation::squad:
      return "SQUAD";
    case Interpolation::squad_ease:
      return "SQUAD with ease";
    case Interpolation::slerp:
      return "slerp";
  }
  return "unknown";
}

AnmTrackText::AnmTrackText(const AnmTrack& track) {
  const auto part = [&](std::uint8_t bit, std::string_view what, Interpolation kind) {
    if (!track.has(bit)) return;
    type.push_back(what);
    interpolation.push_back(name(kind));
  };
  if (track.has(AnmTrack::matrix_bit)) {
    type.push_back("matrix");
    return;
  }
  part(AnmTrack::scale_bit, "scale", track.scale_kind());
  part(AnmTrack::euler_bit, "Euler", track.rotation_kind());
  part(AnmTrack::quaternion_bit, "quaternion", track.rotation_kind());
  part(AnmTrack::translation_bit, "translation", track.translation_kind());
}

float longest_track(const AnmSequence& sequence) {
  float longest = 0;
  for (const AnmTrack& track : sequence.tracks) longest = std::max(longest, track.length);
  return longest;
}

}  // namespace lockline::harness
