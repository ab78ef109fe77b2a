#pragma once

#include <cstdint>
#include <vector>

#include "corpus/read_weights.hpp"

namespace lockline::corpus {

/// A model with its skin laid out anew.
struct Relayout {
  std::vector<std::uint8_t> bytes;   ///< the whole block
  std::vector<SlotVertex> before;    ///< the vertices, with the slots they had
  std::vector<std::uint32_t> slots;  ///< the slots they have now, by index into `before`
  std::uint32_t entries_before = 0, entries_after = 0;
  std::uint32_t gpl_growth = 0;  ///< bytes inserted after the positions, for the writes past them
  std::int64_t skn_growth = 0;   ///< bytes that the SKN section grew or shrank
};

/// Lays the skin out canonically from the weights it has (read_weights, canonical_runs, lay_out) and rewrites
/// what names slots: position array, primitive indices of submesh 0, facial runs and records, type
/// descriptors, flush array. Room for every write is made after the positions. All other bytes stay, sections
/// move as a whole. Errors: those of read_weights and lay_out; bad_value when the rest of the model cannot
/// follow: sections out of order, structures inside the positions, indices past the array or too wide for
/// their list, facial records that do not match.
Expected<Relayout> relay_out(Bytes bytes, const Block& block);

}  // namespace lockline::corpus
