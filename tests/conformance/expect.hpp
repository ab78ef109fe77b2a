#pragma once

#include <tl/expected.hpp>

#include "emu/machine.hpp"
#include "tests/conformance/cases.hpp"

namespace lockline::conformance {

enum class Core { interpreter, jit };

/// dolphin-5 as that core has it: they differ in what a stored NaN leaves.
const emu::Profile& profile_of(Core core);

/// The memory a case may use: the guest program zeroes it before each, and has the block in it.
inline constexpr std::uint32_t window_begin = 0x80300000, window_end = 0x80520000;
inline constexpr std::uint32_t block_address = 0x80400000;

/// What Lockline says of a case.
struct Expectation {
  std::vector<std::string> lines;  ///< what Dolphin prints, in order
  /// The block after each frame and the digest of the rest of the window; empty when the frame never ends.
  Buffer memory;
};

/// The frame's faults after which a case counts as one that never ends; Dolphin is stopped there, too.
inline constexpr std::uint32_t most_faults = 8;

/// Runs cases in one emulated console after another.
class Emulator {
 public:
  /// `poison`: all memory outside the window holds this byte, so that a case which reads there gives
  /// something else than with another byte.
  explicit Emulator(Core core, std::uint8_t poison = 0) : core_(core), poison_(poison) {}

  /// The error says why the case has no defined result in the guest program.
  tl::expected<Expectation, std::string> run(const Case& c);

 private:
  tl::expected<void, std::string> load(const Case& c);

  Core core_;
  std::uint8_t poison_;
  std::optional<emu::Machine> machine_;
};

void put_expectation(Buffer& file, const Expectation& expectation);

}  // namespace lockline::conformance
