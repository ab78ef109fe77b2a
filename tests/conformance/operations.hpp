#pragma once

#include "tests/conformance/expect.hpp"

namespace lockline::conformance {

/// What Lockline's functions make of an instruction file (scripts/dolphin/README.md): 32 bytes for each
/// operation, and the fault lines "operation access address".
struct OperationResults {
  Buffer results;
  std::string faults;
};

OperationResults run_operations(Bytes operations, Core core);

}  // namespace lockline::conformance
