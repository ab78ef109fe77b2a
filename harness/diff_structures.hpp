#pragma once

#include <functional>
#include <string>
#include <vector>

#include "emu/machine.hpp"
#include "harness/observation.hpp"

namespace lockline::harness {

/// A named GPL structure whose bytes are not the same in two files.
struct StructureDiff {
  std::string name;
  std::uint32_t donor_at = 0, donor_bytes = 0;      ///< 0 bytes: the donor has none of that name
  std::uint32_t patched_at = 0, patched_bytes = 0;  ///< the same of the patched model
  std::uint32_t differing = 0;                      ///< of the bytes that both have
  std::uint32_t first = 0;                          ///< offset of the first of them in the structure
};

/// Structures are compared by name, wherever they lie; several of one name in the order of their offsets.
/// Ascending by offset in the patched model, those only the donor has last. Gaps have no name.
std::vector<StructureDiff> diff_structures(const Subject& donor, const Subject& patched);

/// The same of the structures that `wanted` chooses.
std::vector<StructureDiff> diff_structures(const Subject& donor, const Subject& patched,
                                           const std::function<bool(const StructureRange&)>& wanted);

/// A GPL structure that the frames changed.
struct OverwriteDiff {
  std::string name;
  std::uint32_t begin = 0, end = 0;  ///< of the structure, block offsets
  std::uint32_t bytes = 0;           ///< that differ from the loaded state after that frame
  emu::Author author;                ///< who wrote there first
  FrameRef frame;                    ///< after which it was first seen
  bool in_donor = false;             ///< the donor's structure of that name is overwritten too
};

/// Watches one model's GPL outside the position data. Facial poses in the arrays they target are no change.
class OverwriteWatch {
 public:
  /// `machine` has just been loaded.
  OverwriteWatch(const Subject& subject, const emu::Machine& machine);

  /// Call after each frame.
  void frame(const emu::Machine& machine, const FrameRef& frame);

  /// So far, ascending by offset.
  std::vector<OverwriteDiff> overwrites() const;

 private:
  void see(const emu::Machine& machine, const Stray& stray, const StructureRange& range,
           const FrameRef& frame);

  const Subject& subject_;
  PositionRegion region_;
  std::vector<std::uint8_t> loaded_;
  std::vector<OverwriteDiff> found_;
  std::vector<bool> known_;  ///< by range of the structure map
};

}  // namespace lockline::harness
