#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/act.hpp"
#include "formats/anm.hpp"

/// Animation tracks played on bones: which keys count at a time, and the control they make. Source:
/// formats.md "ANM"; what it does not say is marked as an assumption.
namespace lockline::emu {

/// The keys on both sides of a moment, and how far it lies between them: 0 <= u <= 1 (1 only by
/// rounding).
struct KeyPair {
  std::uint32_t first = 0, second = 0;
  float u = 0;
};

/// A track's key times, in table order, however damaged.
class KeyTimes {
 public:
  KeyTimes() = default;
  KeyTimes(std::span<const AnmKeyframe> keys, float length);

  std::uint32_t count() const { return static_cast<std::uint32_t>(times_.size()); }

  /// The last key with time <= t and the one after it; past the last key the first key again, and the segment
  /// then runs to the track's length. Before the first key (vanilla ones start at 0), the first key alone
  /// (assumption). A segment without a length, or whose times are no numbers, stays at its first key. Needs
  /// count() != 0.
  KeyPair at(float t) const;

 private:
  std::vector<float> times_;
  /// The smallest time from each key on: ascending whatever the file holds, so that the last key with time <=
  /// t can be searched for. A NaN counts as never.
  std::vector<float> reached_;
  float length_ = 0;
};

/// `t` one frame later: t + speed, less whole lengths from `length` on. 0 for a length that is not above 0,
/// and for a sum that is no finite number.
float next_time(float t, float speed, float length);

/// A track made ready to be evaluated: its keys' numbers divided by their scales once.
class TrackMotion {
 public:
  explicit TrackMotion(const AnmTrack& track);

  /// The animation control at time t. Without keys, or with a track of no type: mask 0, no control. One key:
  /// its values. A matrix does not change between keys (assumption). Euler angles take the shortest way.
  /// Euler angles under slerp or SQUAD, and a rotation kind of 7, are interpolated linearly, quaternions
  /// under Bezier or Hermite number by number (assumptions, like the order of control data).
  Control at(float t) const;

  float length() const { return length_; }
  bool replaces_hierarchy() const { return replaces_; }

 private:
  using Values = std::array<float, 12>;  ///< as Control::values

  template <std::size_t width>
  void interpolate(const KeyPair& pair, Interpolation kind, std::size_t offset,
                   PartControls KeyControls::*part, Values& out) const;
  void interpolate_euler(const KeyPair& pair, Values& out) const;
  void interpolate_quaternion(const KeyPair& pair, Values& out) const;
  float eased_by(const KeyPair& pair, PartControls KeyControls::*part) const;

  std::uint8_t mask_ = 0;  ///< of the control
  Interpolation scale_kind_ = Interpolation::step, rotation_kind_ = Interpolation::step,
                translation_kind_ = Interpolation::step;
  bool replaces_ = false;
  float length_ = 0;
  KeyTimes times_;
  std::vector<Values> keys_;
  std::vector<KeyControls> controls_;  ///< empty when no kind of the track has any
};

}  // namespace lockline::emu
