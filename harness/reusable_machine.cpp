#include "harness/reusable_machine.hpp"

namespace lockline::harness {

Expected<emu::Machine*> ReusableMachine::load(Bytes bytes, const Block& block) {
  if (machine_) {
    if (auto loaded = machine_->reload(bytes, block); !loaded) {
      machine_.reset();
      return tl::unexpected(loaded.error());
    }
  } else {
    auto machine = emu::Machine::load(bytes, block, options_);
    if (!machine) return tl::unexpected(machine.error());
    machine_.emplace(std::move(*machine));
  }
  return &*machine_;
}

}  // namespace lockline::harness
