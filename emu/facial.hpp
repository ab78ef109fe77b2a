#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "formats/block.hpp"

namespace lockline::emu {

/// The weights of one object's poses: weights[p] for pose p, p >= 1; element 0 is not used (pose 0 always
/// counts fully). Missing elements are 0. Pose number n alone is weight 1 at n.
struct FacialObjectPose {
  std::vector<float> weights;
};

/// Step 1's input: element i drives facial object i; objects without an element are not written.
using FacialPoses = std::vector<FacialObjectPose>;

/// Pose `pose` of every object, weight 1 (0: the rest pose).
FacialPoses facial_pose(const Facial& facial, std::uint32_t pose);

/// One component of a posed record: pose 0 + the weighted displacements, in float, truncated and clamped
/// (assumption for fractional weights; whole ones are exact). `component(p)` gives the raw value of pose p <
/// poses.
template <class Component>
std::int16_t posed_component(const FacialObjectPose& pose, std::size_t poses, Component&& component) {
  float sum = component(0);
  const std::size_t weighted = std::min(poses, pose.weights.size());
  for (std::size_t p = 1; p < weighted; ++p) {
    if (pose.weights[p] != 0) sum += pose.weights[p] * static_cast<float>(component(p));
  }
  return static_cast<std::int16_t>(std::clamp(sum, -32768.0F, 32767.0F));
}

/// What the loader knows of one attribute record.
struct FacialTarget {
  std::uint32_t object = 0;
  std::uint32_t runs = 0;            ///< address of the run list
  std::vector<std::uint32_t> poses;  ///< addresses of the pose arrays
  std::uint8_t components = 0;       ///< per record: 3 or 6
  std::uint8_t component_bytes = 0;  ///< 1 (s8) or 2 (s16)
  std::uint32_t base = 0;            ///< address of the target array's vertex 0
  std::uint32_t stride = 0;          ///< bytes from one target vertex to the next
};

/// The facial section as the loader resolves it once. Source: runtime.md "Facial poses",
/// seeds/facial-pose-section.
struct FacialSection {
  std::vector<FacialTarget> targets;  ///< attributes whose target could be resolved, in file order
};

FacialSection resolve_facial(const Block& block, std::uint32_t block_address);

}  // namespace lockline::emu
