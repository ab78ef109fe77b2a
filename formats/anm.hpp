#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/block.hpp"

/// ANM: a bank of animation sequences, a file of its own. Source: formats.md "ANM". All pointers are
/// ANM-relative.
///
/// Assumptions, none confirmed in the game: the numbers of a setting or of control data follow one another
/// without padding, whatever their widths; a track with matrix_bit holds twelve floats and nothing else;
/// format 4 (f32) is divided by 2^shift like the others (vanilla shift: presumably 0, so nothing changes);
/// Bezier and Hermite controls use the part's own quantization, those of a quaternion four s16 / 2^14; a
/// pointer of 0 leads to nothing.
namespace lockline {

/// How one part of a key leads to the next. Source: formats.md.
enum class Interpolation : std::uint8_t {
  step = 0,
  linear = 1,
  bezier = 2,
  hermite = 3,
  squad = 4,  ///< rotation only, from here on
  squad_ease = 5,
  slerp = 6,
};

/// A moment of a track. `setting` and `interpolation` hold the stored numbers in file order, not yet divided:
/// scale[3], Euler[3] or quaternion[4], translation[3] (absent parts take no room), or matrix[12]; control
/// data for the same parts in the same order (see KeyControls).
struct AnmKeyframe {
  std::uint32_t at = 0;
  float time = 0;  ///< in the track's unit, 0..length
  std::uint32_t setting_pointer = 0, interpolation_pointer = 0;
  std::vector<float> setting, interpolation;  ///< empty when there are none or they could not be read
};

/// One bone's motion.
struct AnmTrack {
  static constexpr std::uint8_t translation_bit = 0x01, scale_bit = 0x02, euler_bit = 0x04,
                                quaternion_bit = 0x08, matrix_bit = 0x10;
  std::uint32_t at = 0;
  float length = 0;
  std::uint32_t keyframes_pointer = 0;
  std::uint16_t keyframe_count = 0, id = 0;
  Quantization quantization;  ///< of scale, Euler and translation: format 0 u8, 1 s8, 2 u16, 3 s16, 4 f32
  std::uint8_t type = 0;
  std::uint8_t interpolation = 0;
  std::uint8_t replace_hierarchy = 0;  ///< not 0: the orientation control is left out
  std::vector<AnmKeyframe> keyframes;  ///< fewer than keyframe_count when the table is cut off

  bool has(std::uint8_t bit) const { return (type & bit) != 0; }
  Interpolation translation_kind() const { return static_cast<Interpolation>(interpolation & 3); }
  Interpolation scale_kind() const { return static_cast<Interpolation>((interpolation >> 2) & 3); }
  /// 7 is no kind; parse_anm makes it a problem.
  Interpolation rotation_kind() const { return static_cast<Interpolation>((interpolation >> 4) & 7); }
};

struct AnmSequence {
  std::uint32_t at = 0;
  std::uint32_t name_pointer = 0, tracks_pointer = 0;
  std::uint16_t track_count = 0, pad = 0;
  std::optional<CString> name;
  std::vector<AnmTrack> tracks;  ///< fewer than track_count when the table is cut off
};

struct Anm {
  std::uint32_t size = 0;
  std::uint32_t version = 0, sequences_pointer = 0;
  std::uint16_t bank_id = 0, sequence_count = 0, track_total = 0, keyframe_total = 0;
  std::uint32_t user_size = 0, user_pointer = 0;
  std::vector<AnmSequence> sequences;
  std::vector<std::uint8_t> user_data;
  std::vector<Gap> gaps;  ///< ascending; non-empty ones only
  /// What could not be understood, in the order met.
  std::vector<Error> problems;
};

/// A key's dequantized values; parts the track does not have are empty.
struct KeyValues {
  std::optional<std::array<float, 3>> scale;
  std::optional<std::array<float, 3>> euler;       ///< degrees, x y z
  std::optional<std::array<float, 4>> quaternion;  ///< x y z w
  std::optional<std::array<float, 3>> translation;
  std::optional<std::array<float, 12>> matrix;  ///< 3x4, row order
};

/// Control data of one part of a key. Bezier and Hermite: `in` and `out` are of the part's width; SQUAD: two
/// quaternions. Only Hermite and SQUAD with ease have eases. Step, linear and slerp have no controls.
struct PartControls {
  std::array<float, 4> in{}, out{};
  float ease_in = 0, ease_out = 0;
};
struct KeyControls {
  PartControls scale, rotation, translation;  ///< zero for parts whose kind has none
};

/// The largest file read as an animation bank (assumption: vanilla ones are far below).
inline constexpr std::size_t max_anm_bytes = 16U << 20;

/// Reads a bank as far as it can be understood. Fails only when the bytes are none at all: shorter than the
/// header (0x18), over max_anm_bytes, a model block, without sequences, or with a sequence table that starts
/// outside the file. Everything else that is wrong is listed in Anm::problems. Time and memory are bounded by
/// a small multiple of bytes.size(), whatever the counts say. Keys may share a setting or control data.
Expected<Anm> parse_anm(Bytes bytes);

/// The bank's bytes: gaps first, then every structure at its offset. serialize(parse(x)) == x for every x
/// that parses. Structures that leave [0, size) are cut off at its end, numbers outside their stored type
/// clamped.
std::vector<std::uint8_t> serialize(const Anm& anm);

/// The key's numbers divided by their scale (quaternions and eases by 2^14). Missing numbers count as 0.
KeyValues key_values(const AnmTrack& track, const AnmKeyframe& key);
KeyControls key_controls(const AnmTrack& track, const AnmKeyframe& key);

}  // namespace lockline
