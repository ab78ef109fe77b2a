#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/entries.hpp"

namespace lockline::harness {

/// One SKAcc contribution to a slot.
struct Contribution {
  std::uint32_t entry = 0;     ///< SKAcc index
  std::uint32_t position = 0;  ///< k: index into the entry's arrays
};

/// Who writes each slot (12-byte vertex) of submesh 0's position buffer. Writes that do not fall on whole
/// slots, and slots past `limit`, are left out: other rules report those.
class SlotTable {
 public:
  static constexpr std::uint32_t limit = 0x20000;

  explicit SlotTable(const Block& block);

  /// One past the highest slot written.
  std::uint32_t size() const { return static_cast<std::uint32_t>(direct_.size()); }
  /// Index into direct_entries() of the last entry that writes the slot, or -1.
  std::int32_t direct(std::uint32_t slot) const { return slot < size() ? direct_[slot] : -1; }
  bool written(std::uint32_t slot) const { return direct(slot) >= 0 || !contributions(slot).empty(); }
  const std::vector<Contribution>& contributions(std::uint32_t slot) const;
  /// Slots that only SKAcc writes, ascending.
  std::vector<std::uint32_t> accumulation_only() const;
  /// The lowest SKAcc entry that adds to the slot; the slot must have one.
  std::uint32_t first_accumulator(std::uint32_t slot) const { return contributions(slot).front().entry; }
  /// Slots of an entry that SKAcc adds to, ascending.
  std::span<const std::uint32_t> supplemented(const DirectEntry& entry) const;

 private:
  std::vector<std::int32_t> direct_;
  std::vector<std::vector<Contribution>> contributions_;
  std::vector<std::uint32_t> summed_;  ///< slots with contributions, ascending
};

/// A vertex of the skinned submesh that a facial object moves.
struct FacialSlot {
  std::uint32_t object = 0, attribute = 0;
  std::uint32_t record = 0;  ///< index into the pose arrays
  std::uint32_t slot = 0;
};

/// Facial objects on the skinned submesh (kind 1, six components).
struct FacialSlots {
  bool any = false;
  std::vector<FacialSlot> slots;
};
FacialSlots slots_of_facial_objects(const Block& block);

/// True for an attribute that the loader points at the source mirror.
bool targets_skin(const Block& block, const FacialAttribute& attribute);

/// Slots of submesh 0 that a primitive draws, ascending, each once.
std::vector<std::uint32_t> drawn_slots(const Block& block);

}  // namespace lockline::harness
