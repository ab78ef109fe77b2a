#include "harness/diff_change.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockline::harness {

std::string_view name(VertexChange change) {
  constexpr std::array<std::string_view, 4> names{"none", "rounded", "turned", "moved"};
  return names[static_cast<std::size_t>(change)];
}

std::uint32_t allowance(const DiffVertex& donor, const DiffVertex& patched, bool same_shift) {
  const bool same_writes = donor.writes == patched.writes && donor.passes == patched.passes;
  const bool same_skin = same_shift && donor.bind == patched.bind && donor.weights == patched.weights;
  return same_skin && !same_writes ? donor.passes + patched.passes : 0;
}

VertexDifference difference(const std::uint8_t* donor, const std::uint8_t* patched, double scale,
                            std::uint32_t allowance) {
  VertexDifference out;
  double square = 0;
  for (std::size_t c = 0; c < 6; ++c) {
    const double d = load_be<std::int16_t>(patched + 2 * c) - scale * load_be<std::int16_t>(donor + 2 * c);
    if (d == 0) continue;
    const VertexChange beyond = c < 3 ? VertexChange::moved : VertexChange::turned;
    out.change = std::max(out.change, std::abs(d) < allowance ? VertexChange::rounded : beyond);
    if (c < 3) square += d * d;
  }
  out.steps = std::sqrt(square);
  return out;
}

}  // namespace lockline::harness
