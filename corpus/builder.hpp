#pragma once

#include <cstdint>
#include <vector>

#include "corpus/recipe.hpp"
#include "formats/block.hpp"

namespace lockline::corpus {

/// The model a recipe describes: every section laid out, then the recipe's breaks in their order. The same
/// recipe gives the same block on every machine. A broken recipe's fields may disagree with its arrays (that
/// is the point); parse its bytes to read it. Errors: those of lay_out(); missing for a face on a group,
/// submesh or SKAcc entry that is not there; a break's own.
Expected<Block> build(const Recipe& recipe);

/// serialize(build(recipe)).
Expected<std::vector<std::uint8_t>> build_bytes(const Recipe& recipe);

}  // namespace lockline::corpus
