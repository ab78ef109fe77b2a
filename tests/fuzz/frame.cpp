#include <algorithm>
#include <optional>

#include "emu/machine.hpp"

namespace {

using namespace lockline;

/// The one machine of these options, loaded anew.
emu::Machine* load(std::optional<emu::Machine>& machine, Bytes bytes, const Block& block,
                   const emu::MachineOptions& options) {
  if (machine) {
    if (machine->reload(bytes, block)) return &*machine;
    machine.reset();
    return nullptr;
  }
  auto loaded = emu::Machine::load(bytes, block, options);
  if (loaded) machine.emplace(std::move(*loaded));
  return machine ? &*machine : nullptr;
}

}  // namespace

/// Two frames of a block on the fast and on the exact path, which must leave the same behind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::optional<emu::Machine> fast, exact;
  const Bytes bytes(data, size);
  const auto block = parse_block(bytes);
  if (!block) return 0;
  emu::MachineOptions options;
  emu::Machine* a = load(fast, bytes, *block, options);
  options.exact_path = true;
  options.kernels = &emu::scalar_kernels();
  emu::Machine* b = load(exact, bytes, *block, options);
  if (a == nullptr || b == nullptr) return 0;
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
