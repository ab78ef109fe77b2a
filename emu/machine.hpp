#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emu/address_space.hpp"
#include "emu/dirty_pages.hpp"
#include "emu/facial.hpp"
#include "emu/fault.hpp"
#include "emu/kernels.hpp"
#include "emu/profile.hpp"
#include "emu/regular_frame.hpp"
#include "emu/trace.hpp"
#include "formats/block.hpp"

namespace lockline::emu {

/// How the memClr range is cleared. Source: runtime.md step 6.
enum class MemClr {
  dcbz,   ///< after SK1 and SK2, whole cache lines (decompilation; the default)
  store,  ///< before them, byte exact, by a plain store loop (the seed's reading)
};

/// What the block's pointer fields hold in memory.
enum class Pointers {
  offsets,    ///< as in the file; what the frame vectors and `lockline run` images show
  addresses,  ///< relocated, as the game's loader leaves them: an overwritten pointer leads where the game
              ///< would go
};

/// Where the transform routines start, for absolute program counters. SK1's is known from the seed's crash
/// log; the other two are not known in this game.
struct RoutineStarts {
  std::optional<std::uint32_t> sk1 = 0x80523E0C;
  std::optional<std::uint32_t> sk2;
  std::optional<std::uint32_t> skacc;
};

struct MachineOptions {
  const Profile* profile = &dolphin;
  /// Where the block is loaded: 32-byte aligned, with the whole block inside the 24 MB at 0x80000000 (the DMA
  /// registers hold no bit for the 64 MB at 0x90000000). The default is a plausible heap address
  /// (assumption).
  std::uint32_t block_address = 0x80C00000;
  MemClr memclr = MemClr::dcbz;
  Pointers pointers = Pointers::offsets;
  RoutineStarts routines;
  const Kernels* kernels = &simd_kernels();
  /// Every entry access by access, even where the fast path gives the same memory.
  bool exact_path = false;
  /// False: the trace has only the writes outside the block (reload() undoes those), for speed.
  bool trace = true;
  /// The frame stops at this many faults, 1..max_fault_limit. 1 is the game's end; more is Dolphin with its
  /// messages ignored: a failed read gives 0, a failed write is dropped, and a wrapped loop goes on.
  std::uint32_t max_faults = 1;
};

inline constexpr std::uint32_t max_fault_limit = 4096;

/// What became of one frame. Without faults it ran to its end; with max_faults of them it stopped there.
struct FrameResult {
  std::vector<Fault> faults;
  bool stopped = false;
};

/// Where the loaded block's parts are, as addresses. Fixed at load time.
struct LoadedModel {
  std::uint32_t block = 0;
  std::uint32_t block_bytes = 0;
  std::uint32_t skn = 0;        ///< 0 = the model has no skin
  std::uint32_t positions = 0;  ///< first byte of submesh 0's position data
};

/// A console with one model block loaded: memory, locked cache, and the skinning step of each frame.
/// Nothing carries over between machines; two machines given the same calls hold the same bytes.
class Machine {
 public:
  /// Loads `bytes`, of which `block` is the parsed form. Errors: bad_value for an unusable address or option,
  /// missing when the block has a skin but submesh 0 has no position array, too_large without memory.
  static Expected<Machine> load(Bytes bytes, const Block& block, const MachineOptions& options);

  /// Steps 1 and 3 to 6 of runtime.md. `palette`: one 3x4 matrix in row order per bone (step 2's "skin"
  /// matrices). `poses`: step 1, by facial object; nullptr leaves the targets as they are.
  FrameResult frame(std::span<const Matrix> palette, const FacialPoses* poses = nullptr);

  /// Loads another block (or the same again) in place of this one: as a fresh machine with the same options,
  /// without asking the host for memory. Errors as load(); the machine must not be used after one.
  Expected<void> reload(Bytes bytes, const Block& block);

  /// The block's bytes as they stand.
  Bytes block() const { return memory_of_block_; }
  /// Writes to main memory of the last frame, in order.
  const Trace& trace() const { return trace_; }
  const LoadedModel& model() const { return model_; }
  const MachineOptions& options() const { return options_; }
  AddressSpace& memory() { return space_; }

 private:
  Machine(AddressSpace space, const MachineOptions& options) : space_(std::move(space)), options_(options) {}
  void place(Bytes bytes, const Block& block, const LoadedModel& model);

  AddressSpace space_;
  MachineOptions options_;
  LoadedModel model_;
  FacialSection facial_;
  MutableBytes memory_of_block_;
  Trace trace_;
  std::optional<RegularFrame> regular_;
  DirtyPages foreign_;  ///< written outside the block, to be undone by reload()
};

}  // namespace lockline::emu
