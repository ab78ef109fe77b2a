#pragma once

#include "formats/structure_map.hpp"
#include "harness/slots.hpp"

namespace lockline::harness {

/// A model under check: its bytes, what they mean, what every byte is called, and who writes which slot.
/// Refers to the bytes and the block, which must outlive it.
struct Subject {
  Subject(Bytes model_bytes, const Block& parsed)
      : bytes(model_bytes),
        block(parsed),
        map(parsed),
        entries(direct_entries(parsed)),
        slots(parsed),
        facial(slots_of_facial_objects(parsed)) {}

  Bytes bytes;
  const Block& block;
  StructureMap map;
  std::vector<DirectEntry> entries;  ///< SK1, then SK2
  SlotTable slots;
  FacialSlots facial;
};

}  // namespace lockline::harness
