#pragma once

#include <compare>
#include <vector>

#include "harness/subject.hpp"

namespace lockline::harness {

/// A slot that submesh 0's primitives name, and what they name in its place after the slots were renumbered.
struct SlotPair {
  std::uint32_t before = 0, after = 0;
  auto operator<=>(const SlotPair&) const = default;
};

/// Which slot became which, corner by corner of what submesh 0 draws (positions, and normals that are the
/// same array); ascending, each pair once. Says nothing about what the slots hold. Errors: bad_value for the
/// first thing that draws or moves the model otherwise: another state, primitive, index, array, bone or
/// texture. Pointers, SKN and the facial section are not compared.
Expected<std::vector<SlotPair>> renumbering(const Subject& before, const Subject& after);

}  // namespace lockline::harness
