#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "formats/gpl.hpp"

/// ACT: the bones of a model block. Source: formats.md "ACT". All pointers are ACT-relative.
namespace lockline {

/// SRT ("control"), 0x34 bytes. A component whose mask bit is clear is ignored.
struct Control {
  static constexpr std::uint8_t scale_bit = 0x01, euler_bit = 0x02, quaternion_bit = 0x04,
                                translation_bit = 0x08, matrix_bit = 0x10;
  /// Where the parts lie in `values`.
  static constexpr std::size_t scale_at = 0, rotation_at = 3, translation_at = 7;
  std::uint32_t at = 0;
  std::uint8_t mask = 0;
  std::array<std::uint8_t, 3> pad{};
  /// As stored: scale[3], quaternion x y z w (or Euler degrees x y z), translation[3], 2 unused; or, with
  /// matrix_bit, a 3x4 matrix in row order.
  std::array<float, 12> values{};
};

struct Bone {
  static constexpr std::uint16_t no_submesh = 0xFFFF;
  std::uint32_t at = 0;
  std::uint32_t control_pointer = 0;
  std::uint32_t previous = 0, next = 0, parent = 0, child = 0;  ///< bone pointers, 0 = none
  std::uint16_t geo_id = no_submesh;                            ///< the submesh it draws rigidly
  std::uint16_t id = 0;
  std::uint8_t inheritance = 1;
  std::uint8_t draw_priority = 0;
  std::uint16_t pad = 0;
};

struct MirrorRole {
  std::uint8_t bone = 0;
  std::uint8_t role = 0;
};

/// One 12-byte user data descriptor and what it points to. Kind 3: a track id per bone (0xFFFF none); kind 2:
/// the mirror table; other kinds: the size - 12 bytes. Each descriptor follows the one before after its
/// `size` bytes, within the header's user_size (assumption: formats.md says no more than "a chain").
struct UserData {
  static constexpr std::uint16_t mirror_kind = 2, tracks_kind = 3;
  std::uint32_t at = 0;
  std::uint32_t size = 0;  ///< with this header
  std::uint16_t kind = 0;
  std::uint16_t count = 0;
  std::uint32_t data_pointer = 0;
  std::uint32_t data_at = 0;
  std::variant<std::vector<std::uint8_t>, std::vector<MirrorRole>, std::vector<std::uint16_t>> data;
};

struct Act {
  static constexpr std::uint32_t magic_value = 0x007B7960;

  std::uint32_t at = 0;
  std::uint32_t size = 0;
  std::uint32_t magic = magic_value;
  std::uint16_t actor_id = 0;
  std::uint16_t bone_count = 0;
  std::uint32_t tree = 0;
  std::uint32_t root_pointer = 0;
  std::uint32_t geo_name_pointer = 0;
  std::uint16_t skin_file_id = 0;
  std::uint16_t pad = 0;
  std::uint32_t user_size = 0;
  std::uint32_t user_pointer = 0;

  std::optional<CString> geo_name;
  std::vector<Bone> bones;        ///< table order = id order; fewer than bone_count when the table is cut off
  std::vector<Control> controls;  ///< in ascending offset, each offset once (bones may share one)
  std::vector<UserData> user_data;

  /// The control a bone points to; nullptr when it has none or it could not be read.
  const Control* control_of(const Bone& bone) const;

  /// The place in `bones` of the bone a link points to; nullopt for 0 and for pointers that lead to none.
  std::optional<std::size_t> bone_at(std::uint32_t pointer) const;
};

}  // namespace lockline
