#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

/// Facial poses (block header +0x18). Source: seeds/facial-pose-section. All pointers are section-relative.
namespace lockline {

struct FacialTypeDescriptor {
  std::uint32_t at = 0;
  std::uint16_t target = 0;                ///< a submesh, or for kind 0 an SKAcc entry
  std::uint8_t kind = 0;                   ///< 0 SKAcc source, 1 positions, 2 normals, 4-7 UV channels
  std::uint8_t format = 0;                 ///< components << 4 | component bytes (0x32, 0x62, 0x61)
  std::array<std::uint8_t, 12> runtime{};  ///< zero in files
};

struct FacialRun {
  std::uint16_t first = 0;
  std::uint16_t length = 0;  ///< 0 ends the list
};

struct Facial;

/// One attribute record, 0x0C + 4 x poses bytes, with its run list and pose arrays.
struct FacialAttribute {
  std::uint32_t at = 0;
  std::uint32_t entries = 0;  ///< mapped entries per pose; the game does not use it as a bound
  std::uint8_t target = 0, kind = 0, components = 0, component_bytes = 0;
  std::uint32_t runs_pointer = 0;
  std::vector<std::uint32_t> pose_pointers;  ///< one per pose of the object

  std::uint32_t runs_at = 0;
  /// Up to the terminator, as the game reads. Without one: up to where the next run list or pose array (or
  /// section) begins once `entries` are covered, at the latest to the block's end.
  std::vector<FacialRun> runs;
  bool terminated = false;  ///< `runs` ends with a run of length 0 (included)
  /// Per pose: entries x components raw values. s16 for 2-byte components, s8 for 1-byte ones. Pose 0 is
  /// absolute, the others are displacements.
  std::vector<std::vector<std::int16_t>> poses;

  /// Block offset of a pose's array.
  std::uint32_t pose_at(const Facial& facial, std::size_t pose) const;
};

struct FacialObject {
  std::uint32_t at = 0;
  std::uint16_t pose_count = 0;
  std::uint16_t attribute_count = 0;
  std::uint32_t record_size = 0;  ///< 0x0C + 4 x pose_count
  std::uint32_t attributes_pointer = 0;
  std::vector<FacialAttribute> attributes;
};

struct Facial {
  std::uint32_t at = 0;
  std::uint32_t size = 0;
  std::uint16_t max_poses = 0, object_count = 0, type_count = 0, pad = 0;
  std::uint32_t objects_pointer = 0;  ///< 0x14 + 16 x types
  std::uint32_t types_pointer = 0x14;
  std::uint32_t zero = 0;
  std::vector<FacialTypeDescriptor> types;
  std::vector<FacialObject> objects;
};

inline std::uint32_t FacialAttribute::pose_at(const Facial& facial, std::size_t pose) const {
  return facial.at + pose_pointers[pose];
}

}  // namespace lockline
