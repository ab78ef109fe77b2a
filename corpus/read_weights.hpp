#pragma once

#include <vector>

#include "corpus/skin_layout.hpp"
#include "formats/block.hpp"

namespace lockline::corpus {

/// A vertex of the skinned submesh and the slot it has in the file. Without weights: no entry writes it.
struct SlotVertex {
  std::uint32_t slot = 0;
  WeightedVertex vertex;
  std::vector<BoneWeight> direct;  ///< those of its weights that an SK1 / SK2 entry writes
  std::uint32_t writers = 0;       ///< SK1 / SK2 entries that write the slot
};

/// What the skin means: every written slot with its bind pose (the sources, which is what the game
/// transforms) and its weights of all entries together, bones merged, ascending by slot; the last SK1 / SK2
/// entry that writes a slot counts. An entry whose destination is between slots is taken at the slot that its
/// source mirrors. Slots that no entry writes are there when a primitive draws them. Errors: missing without
/// a skin; bad_value when the skin does not say what is meant: arrays outside the section, weights that do
/// not sum to 256, bones the skeleton does not have, sources of one slot that differ, facial poses on slots
/// that no entry writes.
Expected<std::vector<SlotVertex>> read_weights(const Block& block);

/// True for a facial attribute that moves vertices of the skinned submesh.
bool moves_skin(const Block& block, const FacialAttribute& attribute);

}  // namespace lockline::corpus
