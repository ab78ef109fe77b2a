#pragma once

#include "formats/block.hpp"

namespace lockline::emu {

/// Turns the pointers of a loaded block into addresses, as the game's loader does (runtime.md "Once"): GPL
/// and ACT pointers against their own bases, SKN pointers against SKN, destinations and memClr against
/// submesh 0's position data, facial ones against their section. A null GPL, ACT or facial pointer stays
/// null; SKN pointers and destinations have no null (assumption). `memory` holds the block at
/// `block_address`.
void relocate(MutableBytes memory, const Block& block, std::uint32_t block_address);

}  // namespace lockline::emu
