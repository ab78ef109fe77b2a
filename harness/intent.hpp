#pragma once

#include <cstdint>
#include <vector>

#include "emu/machine.hpp"
#include "harness/poses.hpp"
#include "harness/subject.hpp"

namespace lockline::harness {

/// Vertices of one entry that do not hold what the entry computes for them.
struct WrongVertices {
  emu::Step step = emu::Step::sk1;
  std::uint32_t entry = 0;
  std::vector<std::uint32_t> vertices;  ///< numbered from 0 within the entry, ascending
  /// The largest distance along one axis between where a vertex is and where it should be, in raw steps of
  /// the positions; 0 when only normals differ.
  std::int32_t farthest = 0;
};

/// "0-17, 40": ranges of ascending numbers.
std::string ranges(const std::vector<std::uint32_t>& numbers);

/// Kernel settings as the layout means them: the shift of the position array, with which the vertices are
/// drawn, whatever SKN's own byte says.
emu::KernelSettings intended_settings(const Block& block, const emu::Profile& profile);

/// What the layout means: every entry's vertices transformed by its bones and put exactly where the entry
/// says, whatever buffers, lines and DMA commands make of it. Same arithmetic, bit for bit; facial poses
/// applied to the records of the slots they name. Entries whose arrays or destinations cannot be followed
/// have no intent and are left out.
class Intent {
 public:
  Intent(const Subject& subject, const emu::MachineOptions& options);

  /// Computes the frame of a pose.
  void frame(const Pose& pose);

  /// Compares with what a machine holds after the same frame. Entry by entry in the order SK1, SK2, then
  /// SKAcc for slots only SKAcc writes; entries without wrong vertices are left out.
  std::vector<WrongVertices> compare(emu::Machine& machine) const;

 private:
  void pose_faces(const emu::FacialPoses& faces);
  void pose_supplement(const FacialAttribute& a, const emu::FacialObjectPose& pose);
  void pose_record(const FacialAttribute& a, const emu::FacialObjectPose& pose, std::size_t record,
                   std::uint32_t at);
  std::int16_t pose_component(const FacialAttribute& a, std::size_t pose, std::size_t element) const;
  std::uint32_t record_at(std::uint32_t slot) const;
  bool holds(std::uint64_t destination, std::uint64_t bytes) const {
    return contains(positions_.size(), destination, bytes);
  }
  void run_sk1(const Pose& pose);
  void run_sk2(const Pose& pose);
  void run_acc(const Pose& pose);
  bool sums_ok(std::uint64_t slot) const;

  const Subject& subject_;
  const emu::Kernels& kernels_;
  emu::KernelSettings settings_;
  std::vector<std::uint32_t> accumulation_only_;
  std::vector<bool> direct_ok_;          ///< by Subject::entries: could be followed in the last frame
  std::vector<bool> acc_ok_;             ///< by SKAcc entry
  std::vector<std::uint8_t> sources_;    ///< the block's bytes with facial poses in the right records
  std::vector<std::uint8_t> positions_;  ///< the position buffer from offset 0
};

}  // namespace lockline::harness
