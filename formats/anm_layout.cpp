#include "formats/anm_layout.hpp"

namespace lockline {

namespace {

constexpr std::uint8_t known_bits = 0x1F, known_formats = 5;
constexpr float quaternion_divisor = 1 << 14;

}  // namespace

RunsSize size_of(const NumberRuns& runs) {
  RunsSize size;
  for (const NumberRun& run : runs) {
    size.numbers += run.count;
    size.bytes += run.count * with_number_type(run.type, [](auto zero) { return unsigned{sizeof zero}; });
  }
  return size;
}

KeyLayout::KeyLayout(const AnmTrack& track) {
  if ((track.type & ~known_bits) != 0)
    setting_trouble_ =
        "has a type with unknown bits (known are 0x1f), so how its keys are laid out is unknown";
  if (track.has(AnmTrack::matrix_bit)) {
    add({KeyPartKind::matrix, NumberType::f32, 12, Interpolation::step, 1});
    return;
  }
  const bool quantized = track.has(AnmTrack::scale_bit) || track.has(AnmTrack::euler_bit) ||
                         track.has(AnmTrack::translation_bit);
  if (quantized && track.quantization.format() >= known_formats)
    setting_trouble_ = "has a quantization format other than 0 to 4, so its keys cannot be read";
  const KeyPart base{KeyPartKind::scale, static_cast<NumberType>(track.quantization.format()), 3,
                     track.scale_kind(), static_cast<float>(1U << track.quantization.shift())};
  if (track.has(AnmTrack::scale_bit)) add(base);
  add_rotation(track, base);
  if (track.has(AnmTrack::translation_bit)) {
    KeyPart translation = base;
    translation.part = KeyPartKind::translation;
    translation.kind = track.translation_kind();
    add(translation);
  }
}

void KeyLayout::add_rotation(const AnmTrack& track, KeyPart quantized) {
  const bool euler = track.has(AnmTrack::euler_bit), quaternion = track.has(AnmTrack::quaternion_bit);
  const Interpolation kind = track.rotation_kind();
  if (euler && quaternion) {
    setting_trouble_ = "has both Euler angles and quaternions, so how its keys are laid out is unknown";
  } else if (euler) {
    quantized.part = KeyPartKind::euler;
    quantized.kind = kind;
    add(quantized);
    if (kind == Interpolation::squad || kind == Interpolation::squad_ease)
      controls_trouble_ = "interpolates Euler angles as quaternions, so its control data cannot be read";
  } else if (quaternion) {
    add({KeyPartKind::quaternion, NumberType::s16, 4, kind, quaternion_divisor});
  }
  if ((euler || quaternion) && kind > Interpolation::slerp)
    controls_trouble_ = "has rotation interpolation 7, which is none; its control data cannot be read";
}

NumberRuns KeyLayout::setting() const {
  NumberRuns runs;
  if (setting_trouble_ != nullptr) return runs;
  for (std::size_t i = 0; i < count_; ++i) runs[i] = {parts_[i].type, parts_[i].width};
  return runs;
}

NumberRuns KeyLayout::controls() const {
  NumberRuns runs;
  if (setting_trouble_ != nullptr || controls_trouble_ != nullptr) return runs;
  std::size_t n = 0;
  for (const KeyPart& part : parts()) {
    if (part.has_controls()) runs[n++] = {part.type, static_cast<std::uint8_t>(2 * part.width)};
    if (part.has_eases()) runs[n++] = {NumberType::u16, 2};
  }
  return runs;
}

}  // namespace lockline
