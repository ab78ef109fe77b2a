#pragma once

#include <map>
#include <set>

#include "corpus/relayout.hpp"

/// Private. The parts of relay_out.
namespace lockline::corpus {

/// New slot by old slot.
using SlotMap = std::map<std::uint32_t, std::uint32_t>;

inline tl::unexpected<Error> cannot(std::uint32_t at, std::string structure, std::string why) {
  return tl::unexpected(Error{ErrorCode::bad_value, at, std::move(structure), std::move(why)});
}

/// Gives submesh 0 the new positions and lists, and moves what lies behind them. The section keeps its start
/// and grows by the returned number of bytes.
Expected<std::uint32_t> relay_gpl(Block& block, const SkinLayout& layout, const SlotMap& slots);

/// Slots whose sources a facial object moves.
std::set<std::uint32_t> posed_slots(const Block& block);

/// Rewrites what moves the skin, and packs the section at its old start.
Expected<void> relay_facial(Block& block, const Skn& skn, const SlotMap& slots);

}  // namespace lockline::corpus
