#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/skn.hpp"
#include "formats/view.hpp"

namespace lockline {

/// Bone matrices frame by frame. File: u32 frames, u32 bones, then frames x bones x f32[12], big-endian; each
/// matrix 3 rows of 4, the "skin" matrix of runtime.md step 2. Source: vectors/README.md.
struct Palette {
  std::uint32_t frames = 0;
  std::uint32_t bones = 0;
  std::vector<Matrix> matrices;  ///< frames x bones

  /// The matrices of one frame, `frame` < frames.
  std::span<const Matrix> frame(std::uint32_t frame) const {
    return std::span(matrices).subspan(std::size_t{frame} * bones, bones);
  }
};

/// Errors: truncated when the bytes end before the matrices do, bad_value without frames or bones.
Expected<Palette> parse_palette(Bytes bytes);
std::vector<std::uint8_t> serialize(const Palette& palette);

}  // namespace lockline
