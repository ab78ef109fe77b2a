#include "emu/animation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "emu/curves.hpp"

namespace lockline::emu {
namespace {

std::uint8_t control_mask(const AnmTrack& track) {
  std::uint8_t mask = 0;
  const auto add = [&](std::uint8_t track_bit, std::uint8_t control_bit) {
    if (track.has(track_bit)) mask |= control_bit;
  };
  add(AnmTrack::scale_bit, Control::scale_bit);
  add(AnmTrack::euler_bit, Control::euler_bit);
  add(AnmTrack::quaternion_bit, Control::quaternion_bit);
  add(AnmTrack::translation_bit, Control::translation_bit);
  add(AnmTrack::matrix_bit, Control::matrix_bit);
  return mask;
}

std::array<float, 12> control_values(const KeyValues& key) {
  if (key.matrix) return *key.matrix;
  std::array<float, 12> values{};
  const auto put = [&](const auto& part, std::size_t at) {
    if (part) std::copy(part->begin(), part->end(), values.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(key.scale, Control::scale_at);
  put(key.euler, Control::rotation_at);
  put(key.quaternion, Control::rotation_at);
  put(key.translation, Control::translation_at);
  return values;
}

bool has_controls(Interpolation kind) {
  return kind == Interpolation::bezier || kind == Interpolation::hermite || kind == Interpolation::squad ||
         kind == Interpolation::squad_ease;
}

float between(Interpolation kind, float a, float a_out, float b_in, float b, float u) {
  switch (kind) {
    case Interpolation::step:
      return a;
    case Interpolation::bezier:
      return bezier(a, a_out, b_in, b, u);
    case Interpolation::hermite:
      return hermite(a, a_out, b_in, b, u);
    default:
      return linear(a, b, u);
  }
}

Quaternion quaternion_at(const std::array<float, 12>& values) {
  return {values[Control::rotation_at], values[Control::rotation_at + 1], values[Control::rotation_at + 2],
          values[Control::rotation_at + 3]};
}

}  // namespace

KeyTimes::KeyTimes(std::span<const AnmKeyframe> keys, float length) : length_(length) {
  times_.reserve(keys.size());
  for (const AnmKeyframe& key : keys) times_.push_back(key.time);
  reached_ = times_;
  float smallest = std::numeric_limits<float>::infinity();
  for (auto time = reached_.rbegin(); time != reached_.rend(); ++time) {
    if (*time < smallest) smallest = *time;
    *time = smallest;
  }
}

KeyPair KeyTimes::at(float t) const {
  const auto after = std::upper_bound(reached_.begin(), reached_.end(), t) - reached_.begin();
  if (after == 0) return {};
  const auto first = static_cast<std::uint32_t>(after - 1);
  const bool last = first + 1 == count();
  const std::uint32_t second = last ? 0 : first + 1;
  const float from = times_[first], to = last ? length_ : times_[second];
  const float u = (t - from) / (to - from);
  return {first, second, u > 0 && u <= 1 ? u : 0.0F};
}

float next_time(float t, float speed, float length) {
  const float next = t + speed;
  if (!(length > 0) || !std::isfinite(next)) return 0;
  return next >= length ? std::fmod(next, length) : next;
}

TrackMotion::TrackMotion(const AnmTrack& track)
    : mask_(track.keyframes.empty() ? std::uint8_t{0} : control_mask(track)),
      scale_kind_(track.scale_kind()),
      rotation_kind_(track.rotation_kind()),
      translation_kind_(track.translation_kind()),
      replaces_(track.replace_hierarchy != 0),
      length_(track.length),
      times_(track.keyframes, track.length) {
  const bool controls =
      has_controls(scale_kind_) || has_controls(rotation_kind_) || has_controls(translation_kind_);
  keys_.reserve(track.keyframes.size());
  for (const AnmKeyframe& key : track.keyframes) {
    keys_.push_back(control_values(key_values(track, key)));
    if (controls) controls_.push_back(key_controls(track, key));
  }
}

Control TrackMotion::at(float t) const {
  Control control;
  control.mask = mask_;
  if (mask_ == 0) return control;
  const KeyPair pair = times_.at(t);
  control.values = keys_[pair.first];
  if (pair.u == 0 || keys_.size() == 1 || (mask_ & Control::matrix_bit) != 0) return control;
  if ((mask_ & Control::scale_bit) != 0)
    interpolate<3>(pair, scale_kind_, Control::scale_at, &KeyControls::scale, control.values);
  if ((mask_ & Control::euler_bit) != 0) {
    interpolate_euler(pair, control.values);
  } else if ((mask_ & Control::quaternion_bit) != 0) {
    interpolate_quaternion(pair, control.values);
  }
  if ((mask_ & Control::translation_bit) != 0)
    interpolate<3>(pair, translation_kind_, Control::translation_at, &KeyControls::translation,
                   control.values);
  return control;
}

/// The segment's u, bent by the first key's ease out and the second's ease in.
float TrackMotion::eased_by(const KeyPair& pair, PartControls KeyControls::*part) const {
  return eased(pair.u, (controls_[pair.first].*part).ease_out, (controls_[pair.second].*part).ease_in);
}

/// `width` numbers from `offset` on, each by itself.
template <std::size_t width>
void TrackMotion::interpolate(const KeyPair& pair, Interpolation kind, std::size_t offset,
                              PartControls KeyControls::*part, Values& out) const {
  constexpr PartControls none;
  const PartControls& from = has_controls(kind) ? controls_[pair.first].*part : none;
  const PartControls& to = has_controls(kind) ? controls_[pair.second].*part : none;
  const float u = kind == Interpolation::hermite ? eased_by(pair, part) : pair.u;
  for (std::size_t i = 0; i < width; ++i) {
    out[offset + i] = between(kind, keys_[pair.first][offset + i], from.out[i], to.in[i],
                              keys_[pair.second][offset + i], u);
  }
}

/// As interpolate(), with the second key, and a Bezier's control point before it, brought within half a turn.
void TrackMotion::interpolate_euler(const KeyPair& pair, Values& out) const {
  const Interpolation kind = rotation_kind_;
  constexpr PartControls none;
  const PartControls& from = has_controls(kind) ? controls_[pair.first].rotation : none;
  const PartControls& to = has_controls(kind) ? controls_[pair.second].rotation : none;
  const float u = kind == Interpolation::hermite ? eased_by(pair, &KeyControls::rotation) : pair.u;
  for (std::size_t i = 0; i < 3; ++i) {
    const float a = keys_[pair.first][Control::rotation_at + i],
                b = keys_[pair.second][Control::rotation_at + i];
    const float near_b = nearest_turn(a, b);
    const float in = kind == Interpolation::bezier ? to.in[i] + (near_b - b) : to.in[i];
    out[Control::rotation_at + i] = between(kind, a, from.out[i], in, near_b, u);
  }
}

void TrackMotion::interpolate_quaternion(const KeyPair& pair, Values& out) const {
  const Quaternion a = quaternion_at(keys_[pair.first]), b = quaternion_at(keys_[pair.second]);
  Quaternion q = a;
  switch (rotation_kind_) {
    case Interpolation::step:
      return;
    case Interpolation::bezier:
    case Interpolation::hermite:
      return interpolate<4>(pair, rotation_kind_, Control::rotation_at, &KeyControls::rotation, out);
    case Interpolation::slerp:
      q = slerp(a, b, pair.u);
      break;
    case Interpolation::squad:
    case Interpolation::squad_ease: {
      const bool ease = rotation_kind_ == Interpolation::squad_ease;
      const float u = ease ? eased_by(pair, &KeyControls::rotation) : pair.u;
      q = squad(a, controls_[pair.first].rotation.out, controls_[pair.second].rotation.in, b, u);
      break;
    }
    default:
      q = linear(a, b, pair.u);
  }
  std::copy(q.begin(), q.end(), out.begin() + Control::rotation_at);
}

}  // namespace lockline::emu
