#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/check.hpp"
#include "harness/diff_change.hpp"
#include "harness/diff_match.hpp"
#include "harness/diff_structures.hpp"

/// Two models side by side: the unmodified one (donor) and what a tool made of it (patched), run in lock
/// step.
namespace lockline::harness {

/// A matched vertex over all frames.
struct VertexDiff {
  std::uint32_t donor_slot = 0, slot = 0;  ///< slot: the patched model's
  VertexChange change = VertexChange::none;
  double steps = 0;                 ///< largest distance of the two positions, raw steps of the patched model
  std::uint32_t largest_frame = 0;  ///< where it was that far
  std::uint32_t first_frame = 0;    ///< the first frame with any difference
};

/// The matched vertices of an entry or a bone of the patched model. A vertex counts for every entry that
/// writes it and every bone that moves it.
struct PartDiff {
  std::string name;  ///< "SK2[14]", "bone 28", "no entry" (drawn, but nothing writes it)
  std::uint32_t vertices = 0, moved = 0, turned = 0, rounded = 0;
  double steps = 0;  ///< the largest distance of one that moved or turned, raw steps
  FrameRef largest;  ///< the frame of it
  FrameRef first;    ///< the first frame in which one that moved or turned differed
};

/// A frame that one of the two did not finish.
struct FaultDiff {
  bool in_patched = false;
  FrameRef frame;
  emu::Fault fault;
};

struct ModelSummary {
  std::uint32_t vertices = 0;  ///< slots that an entry writes or a primitive draws
  std::uint32_t bones = 0;
  std::uint8_t shift = 0;  ///< of submesh 0's positions: model units = steps / 2^shift
};

struct DiffReport {
  ModelSummary donor, patched;
  bool by_slot = false;
  std::map<MatchedBy, std::uint32_t> matched;  ///< number of pairs by way; ways without any are left out
  std::vector<std::uint32_t> removed, added;   ///< slots of the donor / the patched model, ascending
  std::vector<std::uint32_t> added_drawn;      ///< those of `added` that a primitive draws
  std::vector<VertexDiff> vertices;            ///< that differ in any frame, ascending by slot
  std::vector<PartDiff> entries;               ///< with vertices that moved or turned: SK1, SK2, SKAcc
  std::vector<PartDiff> bones;                 ///< the same, ascending by bone
  std::vector<StructureDiff> structures;       ///< GPL, file against file
  std::vector<OverwriteDiff> overwrites;       ///< GPL, patched against its own loaded state
  std::vector<Finding> findings;               ///< the patched model's that the donor does not have
  std::vector<FaultDiff> faults;               ///< what ended the run
  std::uint32_t poses = 0, frames = 0;         ///< compared; one with a fault is not counted
  std::string not_emulated;                    ///< why nothing was; empty when it was

  /// Vertices with that change.
  std::size_t count(VertexChange change) const;
  /// Anything that the two do not share.
  bool differs() const;
};

/// Steps of the patched model in its units.
double units(const DiffReport& report, double steps);

/// One of the two files; both members must outlive the call.
struct DiffInput {
  Bytes bytes;
  const Block& block;  ///< parsed from them
};

/// Which of the two files cannot be used, and why.
struct DiffError {
  bool in_patched = false;
  Error error;
};

/// Runs both through the donor's poses (`options.poses` made for the donor's skeleton),
/// PoseList::frames_per_pose frames each. When the bone counts differ, bones that only the patched model has
/// stay at rest (identity); facial objects that only it has stay as they are in the file. A frame that either
/// does not finish ends the run. Errors: those of Machine::load for unusable options.
tl::expected<DiffReport, DiffError> diff(const DiffInput& donor, const DiffInput& patched,
                                         const CheckOptions& options);

}  // namespace lockline::harness
