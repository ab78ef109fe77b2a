#include <algorithm>

#include "emu/machine.hpp"

/// Two frames of a block on the fast and on the exact path, which must leave the same behind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockline;
  const Bytes bytes(data, size);
  const auto block = parse_block(bytes);
  if (!block) return 0;
  emu::MachineOptions fast, exact;
  exact.exact_path = true;
  exact.kernels = &emu::scalar_kernels();
  auto a = emu::Machine::load(bytes, *block, fast), b = emu::Machine::load(bytes, *block, exact);
  if (!a || !b) return 0;
  const std::vector<Matrix> palette(16, Matrix{1, 0, 0, 0.5F, 0, 0.8F, -0.6F, 0, 0, 0.6F, 0.8F, -0.25F});
  const emu::FacialPoses faces;
  for (int frame = 0; frame < 2; ++frame) {
    const bool stopped = a->frame(palette, &faces).stopped;
    if (stopped != b->frame(palette, &faces).stopped) __builtin_trap();
    const Bytes x = a->block(), y = b->block();
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end())) __builtin_trap();
    if (stopped) break;
  }
  return 0;
}
