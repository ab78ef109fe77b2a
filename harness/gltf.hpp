#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emu/machine.hpp"
#include "harness/poses.hpp"

namespace lockline::harness {

/// How frames become glTF.
enum class FramesAs {
  morphs,  ///< the submeshes once, a morph target for each frame after the first
  meshes,  ///< a mesh for each frame, read anew from the emulated memory: overwritten lists, colours and
           ///< texture coordinates show too
};

/// The most frames and bytes of one export. It takes about four times the bytes as memory.
inline constexpr std::size_t max_gltf_frames = 1000, max_gltf_bytes = 256U << 20;

/// Emulated frames per second. The game's own speed (NTSC).
inline constexpr int gltf_frame_rate = 60;

struct GltfExport {
  std::vector<std::uint8_t> bytes;  ///< a binary glTF 2.0 file (GLB)
  std::uint32_t frames = 0;         ///< exported; the last one may have stopped
  std::size_t vertices = 0;         ///< of the loaded model
  std::size_t triangles = 0;
  std::size_t outside = 0;  ///< indices of its primitive lists that lead outside their arrays
  emu::FrameResult last;    ///< what became of the last frame
};

/// Runs every pose for one frame on `machine`, which has `block` loaded with its pointers as offsets, and
/// makes a glTF file of what the submeshes look like after each, up to the first frame that stops. An
/// animation shows frame after frame, each for 1 / gltf_frame_rate seconds (step). A submesh that a bone
/// draws rigidly is where the bone is. Errors: bad_value over max_gltf_frames or without a pose, missing when
/// nothing is drawn, too_large over max_gltf_bytes or max_listed_vertices.
Expected<GltfExport> export_gltf(const Block& block, emu::Machine& machine, std::span<const Pose> poses,
                                 FramesAs as);

}  // namespace lockline::harness
