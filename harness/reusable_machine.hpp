#pragma once

#include <optional>

#include "emu/machine.hpp"

namespace lockline::harness {

/// A model loaded in a machine that is used again for the next one: much cheaper than a new machine.
class ReusableMachine {
 public:
  explicit ReusableMachine(const emu::MachineOptions& options) : options_(options) {}

  /// The machine with the model freshly loaded, until the next call. Errors as Machine::load.
  Expected<emu::Machine*> load(Bytes bytes, const Block& block);

 private:
  emu::MachineOptions options_;
  std::optional<emu::Machine> machine_;
};

}  // namespace lockline::harness
