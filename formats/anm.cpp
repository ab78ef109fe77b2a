#include "formats/anm.hpp"

#include <algorithm>

#include "formats/anm_layout.hpp"
#include "formats/coverage.hpp"
#include "formats/input.hpp"

namespace lockline {

namespace {

/// A key's numbers at `pointer`; `values` stays empty when they cannot be read.
void read_numbers(Input& in, std::uint32_t pointer, const NumberRuns& runs, const Subject& subject,
                  std::vector<float>& values) {
  const RunsSize size = size_of(runs);
  if (size.numbers == 0) return;
  if (pointer == 0) {
    in.problem(ErrorCode::missing, 0, subject.name,
               fmt::format("is needed, but its pointer is 0, {}", subject.consequence));
    return;
  }
  const std::uint8_t* p = in.range(pointer, size.bytes, subject);
  if (p == nullptr || !in.charge(size.numbers * sizeof(float), pointer, subject.name)) return;
  values.reserve(size.numbers);
  for (const NumberRun& run : runs) {
    with_number_type(run.type, [&]<class Number>(Number) {
      for (std::size_t i = 0; i < run.count; ++i, p += sizeof(Number))
        values.push_back(static_cast<float>(load_be<Number>(p)));
    });
  }
}

void read_track(Input& in, std::size_t s, std::size_t t, AnmTrack& track) {
  const auto key_row = [&](std::size_t k) {
    return Subject{{names::key, s, t, k}, "so the rest of the track's keys is unknown"};
  };
  in.table(track.keyframes_pointer, track.keyframe_count, track.keyframes, key_row);
  const KeyLayout layout(track);
  for (const char* trouble : {layout.setting_trouble(), layout.controls_trouble()}) {
    if (trouble != nullptr) in.problem(ErrorCode::bad_value, track.at, {names::track, s, t}, trouble);
  }
  const NumberRuns setting = layout.setting(), controls = layout.controls();
  for (std::size_t k = 0; k < track.keyframes.size(); ++k) {
    AnmKeyframe& key = track.keyframes[k];
    read_numbers(in, key.setting_pointer, setting,
                 {{names::key_setting, s, t, k}, "so the bone's place at this key is unknown"}, key.setting);
    read_numbers(in, key.interpolation_pointer, controls,
                 {{names::key_controls, s, t, k}, "so the way to the next key is unknown"},
                 key.interpolation);
  }
}

void read_sequence(Input& in, std::size_t s, AnmSequence& sequence) {
  if (sequence.name_pointer != 0) {
    sequence.name =
        in.text(sequence.name_pointer, {{names::sequence_name, s}, "so the sequence's name is unknown"});
  }
  const auto track_row = [&](std::size_t t) {
    return Subject{{names::track, s, t}, "so the rest of the sequence's tracks is unknown"};
  };
  in.table(sequence.tracks_pointer, sequence.track_count, sequence.tracks, track_row);
  for (std::size_t t = 0; t < sequence.tracks.size(); ++t) read_track(in, s, t, sequence.tracks[t]);
}

/// Why the bytes are no bank; nothing when they are one.
std::optional<Error> refusal(Bytes bytes, const Anm& anm) {
  const auto refuse = [](ErrorCode code, std::string message) {
    return Error{code, 0, names::anm_header, std::move(message)};
  };
  const std::uint32_t at = anm.sequences_pointer;
  if (anm.version == 0 && contains(bytes.size(), at, sizeof Gpl::magic_value) &&
      load_be<std::uint32_t>(bytes.data() + at) == Gpl::magic_value)
    return refuse(ErrorCode::bad_magic, "this is a model block, not an animation bank");
  if (anm.sequence_count == 0)
    return refuse(ErrorCode::missing, "has no sequences; this is no animation bank");
  if (at < fixed_size<Anm>() || !contains(bytes.size(), at, fixed_size<AnmSequence>())) {
    return refuse(ErrorCode::out_of_bounds,
                  fmt::format("points to its sequences at {:#x}, but they must lie between the header's end "
                              "and the file's at {:#x}; this is no animation bank",
                              at, bytes.size()));
  }
  return std::nullopt;
}

/// The numbers of a key, taken one after another; past the last they are 0.
class Numbers {
 public:
  explicit Numbers(const std::vector<float>& values) : values_(values) {}

  template <std::size_t n>
  void take(std::array<float, n>& out, std::size_t width, float divisor) {
    for (std::size_t i = 0; i < width; ++i) out[i] = take(divisor);
  }
  template <std::size_t n>
  std::array<float, n> take(float divisor) {
    std::array<float, n> out{};
    take(out, n, divisor);
    return out;
  }
  float take(float divisor) { return next_ < values_.size() ? values_[next_++] / divisor : 0; }

 private:
  const std::vector<float>& values_;
  std::size_t next_ = 0;
};

constexpr float ease_divisor = 1 << 14;

}  // namespace

Expected<Anm> parse_anm(Bytes bytes) {
  if (bytes.size() < fixed_size<Anm>()) {
    return tl::unexpected(
        Error{ErrorCode::truncated, 0, names::anm_header,
              fmt::format("an animation bank starts with a header of {} bytes; this file has {}",
                          fixed_size<Anm>(), bytes.size())});
  }
  if (bytes.size() > max_anm_bytes) {
    return tl::unexpected(Error{ErrorCode::too_large, 0, names::anm_header,
                                fmt::format("{} bytes are more than any animation bank has; the limit is {}",
                                            bytes.size(), max_anm_bytes)});
  }
  Anm anm;
  anm.size = static_cast<std::uint32_t>(bytes.size());
  FieldReader{bytes.data()}(anm);
  if (auto error = refusal(bytes, anm)) return tl::unexpected(std::move(*error));
  Input in(bytes, anm.problems, anm_kind);
  in.array(anm.user_pointer, anm.user_size, anm.user_data,
           {{names::anm_user_data}, "so the user data is unknown"});
  const auto row = [](std::size_t s) {
    return Subject{{names::sequence, s}, "so the rest of the sequences is unknown"};
  };
  in.table(anm.sequences_pointer, anm.sequence_count, anm.sequences, row);
  for (std::size_t s = 0; s < anm.sequences.size(); ++s) read_sequence(in, s, anm.sequences[s]);
  anm.gaps = gaps_of(anm, bytes);
  return anm;
}

KeyValues key_values(const AnmTrack& track, const AnmKeyframe& key) {
  KeyValues values;
  Numbers numbers(key.setting);
  const KeyLayout layout(track);
  for (const KeyPart& part : layout.parts()) {
    switch (part.part) {
      case KeyPartKind::scale:
        values.scale = numbers.take<3>(part.divisor);
        break;
      case KeyPartKind::euler:
        values.euler = numbers.take<3>(part.divisor);
        break;
      case KeyPartKind::quaternion:
        values.quaternion = numbers.take<4>(part.divisor);
        break;
      case KeyPartKind::translation:
        values.translation = numbers.take<3>(part.divisor);
        break;
      case KeyPartKind::matrix:
        values.matrix = numbers.take<12>(part.divisor);
        break;
    }
  }
  return values;
}

KeyControls key_controls(const AnmTrack& track, const AnmKeyframe& key) {
  KeyControls controls;
  Numbers numbers(key.interpolation);
  const KeyLayout layout(track);
  for (const KeyPart& part : layout.parts()) {
    if (!part.has_controls()) continue;
    PartControls& out = part.part == KeyPartKind::scale         ? controls.scale
                        : part.part == KeyPartKind::translation ? controls.translation
                                                                : controls.rotation;
    numbers.take(out.in, part.width, part.divisor);
    numbers.take(out.out, part.width, part.divisor);
    if (!part.has_eases()) continue;
    out.ease_in = numbers.take(ease_divisor);
    out.ease_out = numbers.take(ease_divisor);
  }
  return controls;
}

}  // namespace lockline
