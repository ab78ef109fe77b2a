#include "harness/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockline::harness {
namespace {

using Place = std::array<double, 6>;

/// One bone's part of a vertex, in raw steps. `unit`: 2^shift.
Place transformed(const Matrix& m, const SkinVertex& v, double unit) {
  Place out{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t c = 0; c < 3; ++c) {
      out[row] += double{m[row * 4 + c]} * v[c];
      out[row + 3] += double{m[row * 4 + c]} * v[c + 3];
    }
    out[row] += double{m[row * 4 + 3]} * unit;
  }
  return out;
}

class Comparison {
 public:
  Comparison(const Subject& subject, std::span<const ExactVertex> vertices, ExactResult& result)
      : slots_(subject.slots), vertices_(vertices), result_(result) {
    unit_ = std::ldexp(1.0, subject.block.skinned_positions()->header.quantization.shift());
  }

  void frame(const Pose& pose, const std::uint8_t* positions) {
    for (const ExactVertex& v : vertices_) compare(v, pose, positions + v.slot * std::size_t{vertex_stride});
    ++result_.frames;
  }

 private:
  void compare(const ExactVertex& v, const Pose& pose, const std::uint8_t* held) {
    Place exact{};
    std::array<double, 6> reach{};  // of the parts together, whatever their order
    for (const auto& [bone, weight] : v.weights) {
      const Place part = transformed(pose.matrices[bone], v.bind, unit_);
      for (std::size_t c = 0; c < 6; ++c) {
        exact[c] += part[c] * weight / 256;
        reach[c] += std::abs(part[c]) * weight / 256;
      }
    }
    if (v.weights.empty()) std::copy(v.bind.begin(), v.bind.end(), exact.begin());
    const double passes =
        (slots_.direct(v.slot) >= 0 ? 1.0 : 0.0) + static_cast<double>(slots_.contributions(v.slot).size());
    for (std::size_t c = 0; c < 6; ++c) {
      if (!(reach[c] < 32767)) {
        ++result_.clamped;
        continue;
      }
      ++result_.components;
      const double off = std::abs(load_be<std::int16_t>(held + 2 * c) - exact[c]);
      if (off > result_.largest) {
        result_.largest = off;
        result_.allowed = passes + exact_tolerance;
        result_.largest_slot = v.slot;
        result_.largest_frame = result_.frames;
      }
      if (off > passes + exact_tolerance && result_.beyond++ == 0) {
        result_.first_slot = v.slot;
        result_.first_frame = result_.frames;
      }
    }
  }

  const SlotTable& slots_;
  std::span<const ExactVertex> vertices_;
  ExactResult& result_;
  double unit_ = 1;
};

Expected<void> all_there(const Subject& subject, std::span<const ExactVertex> vertices, std::size_t bones) {
  const PositionArray* positions = subject.block.skinned_positions();
  const std::uint64_t room =
      positions == nullptr
          ? 0
          : subject.bytes.size() - std::min<std::size_t>(positions->data_at, subject.bytes.size());
  for (const ExactVertex& v : vertices) {
    const bool bones_there =
        std::all_of(v.weights.begin(), v.weights.end(), [&](const auto& w) { return w.first < bones; });
    if ((v.slot + 1ULL) * vertex_stride <= room && bones_there) continue;
    return tl::unexpected(Error{ErrorCode::bad_value, 0, "exact skinning",
                                fmt::format("slot {} or its bones are not there", v.slot)});
  }
  return {};
}

}  // namespace

Expected<ExactResult> compare_exact(const Subject& subject, std::span<const ExactVertex> vertices,
                                    const CheckOptions& options) {
  emu::MachineOptions machine_options = options.machine;
  machine_options.trace = false;
  auto machine = emu::Machine::load(subject.bytes, subject.block, machine_options);
  if (!machine) return tl::unexpected(machine.error());
  auto poses = poses_of(options.poses, subject.block);
  if (!poses) return tl::unexpected(poses.error());
  ExactResult result;
  if (auto there = all_there(subject, vertices, poses->poses.front().matrices.size()); !there)
    return tl::unexpected(there.error());
  Comparison comparison(subject, vertices, result);
  for (const Pose& pose : poses->poses) {
    if (machine->frame(pose.matrices).stopped) {
      result.stopped = true;
      break;
    }
    comparison.frame(pose, machine->block().data() + subject.block.skinned_positions()->data_at);
  }
  return result;
}

}  // namespace lockline::harness
