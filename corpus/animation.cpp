#include "corpus/animation.hpp"

#include <array>
#include <string_view>

#include "corpus/act_builder.hpp"
#include "corpus/animation_keys.hpp"
#include "corpus/cursor.hpp"
#include "formats/anm_layout.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {
namespace {

constexpr std::uint32_t header_bytes = 0x18, sequence_bytes = 12, track_bytes = 16, key_bytes = 12;
constexpr std::uint32_t version = 1;
constexpr std::uint16_t no_track = 0xFFFF;
constexpr std::array<std::string_view, 7> names{"idle", "swing", "run", "throw", "catch", "slide", "cheer"};

constexpr std::uint8_t translation = AnmTrack::translation_bit, scale = AnmTrack::scale_bit,
                       euler = AnmTrack::euler_bit, quaternion = AnmTrack::quaternion_bit;
/// The types tracks take turns with; the sizes of the turns have no common factor, so that all meet.
constexpr std::array<std::uint8_t, 11> types{quaternion,
                                             quaternion | translation,
                                             euler,
                                             scale | quaternion | translation,
                                             euler | translation,
                                             translation,
                                             scale | euler | translation,
                                             scale | quaternion,
                                             scale,
                                             scale | translation,
                                             AnmTrack::matrix_bit};
constexpr std::uint32_t formats = 5, quaternion_kinds = 7, other_kinds = 4;

std::uint8_t interpolation(std::uint32_t turn, std::uint8_t type) {
  const std::uint32_t rotation = turn % ((type & quaternion) != 0 ? quaternion_kinds : other_kinds);
  return static_cast<std::uint8_t>(turn % other_kinds | turn / 3 % other_kinds << 2 | rotation << 4);
}

/// A shift that leaves room for what the track holds: degrees with Euler angles, else about 1.
std::uint8_t shift_of(std::uint32_t format, std::uint8_t type) {
  constexpr std::array<std::uint8_t, formats> degrees{3, 2, 9, 9, 0}, small{6, 6, 14, 13, 0};
  return (type & euler) != 0 ? degrees[format] : small[format];
}

/// The keys' times: the first at 0, the last before the track's end; one key alone in every seventh track.
void add_keys(std::uint32_t turn, SplitMix64& random, AnmTrack& track) {
  const std::uint32_t keys = turn % 7 == 6 ? 1 : 2 + turn % 4;
  const float step = 4.0F + static_cast<float>(random.below(16)) / 2;
  for (std::uint32_t k = 0; k < keys; ++k) {
    AnmKeyframe& key = track.keyframes.emplace_back();
    key.time = step * static_cast<float>(k);
    fill_key(track, random, key);
  }
  track.keyframe_count = static_cast<std::uint16_t>(keys);
  track.length = keys == 1 ? 8 : step * static_cast<float>(keys) - 0.5F;
}

AnmTrack make_track(std::uint16_t id, std::uint32_t turn, SplitMix64& random) {
  AnmTrack track;
  track.id = id;
  track.type = types[turn % types.size()];
  const std::uint32_t format = turn % formats;
  track.quantization.raw = static_cast<std::uint8_t>(format << 4 | shift_of(format, track.type));
  track.interpolation = interpolation(turn, track.type);
  track.replace_hierarchy = turn % 9 == 8 ? 1 : 0;
  add_keys(turn, random, track);
  return track;
}

/// Every sixth bone's track is missing, another one's in each sequence.
AnmSequence make_sequence(std::size_t number, std::span<const std::uint16_t> track_ids, std::uint32_t& turn,
                          SplitMix64& random) {
  AnmSequence sequence;
  sequence.name = CString{0, std::string(names[number])};
  for (std::size_t bone = 0; bone < track_ids.size(); ++bone) {
    if (track_ids[bone] == no_track || (bone + number) % 6 == 5) continue;
    sequence.tracks.push_back(make_track(track_ids[bone], turn++, random));
  }
  sequence.track_count = static_cast<std::uint16_t>(sequence.tracks.size());
  return sequence;
}

std::uint32_t bytes_of(const NumberRuns& runs) {
  return size_of(runs).bytes;
}

/// Every third track's last key takes the first one's setting and control data, as a repeated pose would.
void place_keys(std::uint32_t turn, Cursor& cursor, AnmTrack& track) {
  const KeyLayout layout(track);
  const std::uint32_t setting = bytes_of(layout.setting()), controls = bytes_of(layout.controls());
  for (AnmKeyframe& key : track.keyframes) {
    key.setting_pointer = cursor.take(setting);
    if (controls != 0) key.interpolation_pointer = cursor.take(controls);
  }
  if (turn % 3 != 0) return;
  const AnmKeyframe& first = track.keyframes.front();
  AnmKeyframe& last = track.keyframes.back();
  last = {last.at,       last.time,          first.setting_pointer, first.interpolation_pointer,
          first.setting, first.interpolation};
}

/// Sequences, names, user data, tracks, keys, settings, in this order.
void place(Anm& anm) {
  Cursor cursor(header_bytes);
  for (AnmSequence& sequence : anm.sequences) sequence.at = cursor.take(sequence_bytes);
  for (AnmSequence& sequence : anm.sequences)
    sequence.name_pointer = sequence.name->at = cursor.take(sequence.name->text.size() + 1, 1);
  anm.user_pointer = cursor.take(anm.user_data.size());
  for (AnmSequence& sequence : anm.sequences) {
    for (AnmTrack& track : sequence.tracks) track.at = cursor.take(track_bytes);
    sequence.tracks_pointer = sequence.tracks.empty() ? 0 : sequence.tracks.front().at;
  }
  std::uint32_t turn = 0;
  for (AnmSequence& sequence : anm.sequences) {
    for (AnmTrack& track : sequence.tracks) {
      for (AnmKeyframe& key : track.keyframes) key.at = cursor.take(key_bytes);
      track.keyframes_pointer = track.keyframes.front().at;
      place_keys(turn++, cursor, track);
    }
  }
  anm.size = align_up(cursor.at(), cache_line);
}

void count(Anm& anm) {
  anm.sequence_count = static_cast<std::uint16_t>(anm.sequences.size());
  for (const AnmSequence& sequence : anm.sequences) {
    anm.track_total = static_cast<std::uint16_t>(anm.track_total + sequence.track_count);
    for (const AnmTrack& track : sequence.tracks)
      anm.keyframe_total = static_cast<std::uint16_t>(anm.keyframe_total + track.keyframe_count);
  }
}

}  // namespace

Anm build_animation(std::span<const std::uint16_t> track_ids, std::uint64_t seed) {
  SplitMix64 random(seed);
  Anm anm;
  anm.version = version;
  anm.sequences_pointer = header_bytes;
  anm.user_data = {'L', 'L', 0, 1};
  anm.user_size = static_cast<std::uint32_t>(anm.user_data.size());
  std::uint32_t turn = 0;
  for (std::size_t s = 0; s < names.size(); ++s)
    anm.sequences.push_back(make_sequence(s, track_ids, turn, random));
  count(anm);
  place(anm);
  return anm;
}

Anm build_animation(const Recipe& recipe) {
  return build_animation(track_ids(recipe.skeleton.bones), recipe.seed);
}

}  // namespace lockline::corpus
