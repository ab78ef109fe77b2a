#pragma once

#include <optional>
#include <vector>

#include "emu/kernels.hpp"

namespace lockline::emu {

class AddressSpace;
struct FrameContext;
struct LoadedModel;
struct MachineOptions;

/// Steps 3 to 6 for a model whose entries are all regular: aligned, of sizes the buffers and the DMA engine
/// hold, and with all that is written before the tables and all that is read after them. Then load, transform
/// in the locked cache and store is one transform from source to destination. Leaves the same memory, locked
/// cache and trace as frame.cpp, without its copies (tests compare them on every bundled model and vector).
class RegularFrame {
 public:
  /// The plan for the model as it lies in memory; nothing when any entry is irregular.
  static std::optional<RegularFrame> plan(AddressSpace& space, const LoadedModel& model,
                                          const MachineOptions& options);

  /// Runs the frame. False, with nothing done, when the tables are no longer the planned ones, the palette is
  /// too short or an index leads too far.
  bool run(const FrameContext& context) const;

 private:
  class Planner;
  class Runner;

  /// An entry; places are offsets into the block.
  struct Entry {
    std::uint32_t at = 0, source = 0, weights = 0, indices = 0, destination = 0;
    std::uint32_t lines = 0;  ///< of vertices
    std::uint16_t bone1 = 0, bone2 = 0, count = 0;
    std::uint8_t vertex_offset = 0;
    /// Its vertices, weights and indices are what the locked cache still holds after the frame.
    bool vertices_stay = true, weights_stay = true, indices_stay = true;
  };

  std::vector<Entry> sk1_, sk2_, acc_;
  std::uint32_t tables_ = 0;                ///< where the SKN section starts
  std::vector<std::uint8_t> tables_bytes_;  ///< as planned: the header and the three arrays
  std::uint32_t bones_ = 0;                 ///< palette length the entries need
  std::uint32_t clear_begin_ = 0, clear_size_ = 0;
  std::uint32_t locked_cache_end_ = 0;  ///< bytes of the locked cache the frame touches
};

}  // namespace lockline::emu
