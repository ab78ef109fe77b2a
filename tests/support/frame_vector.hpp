#pragma once

#include "formats/block.hpp"
#include "formats/palette.hpp"
#include "tests/support/files.hpp"

namespace lockline::tests {

/// A frame vector's input: NAME.block and NAME.palette.
struct FrameVector {
  std::vector<std::uint8_t> bytes;
  Block block;
  Palette palette;
};

/// The given ones are in frames/, what the conformance suite has taught us in found/.
inline std::filesystem::path folder_of(const std::string& name) {
  const auto found = vectors() / "found";
  return std::filesystem::exists(found / (name + ".block")) ? found : vectors() / "frames";
}

inline FrameVector load_frame_vector(const std::string& name) {
  const auto folder = folder_of(name);
  FrameVector v;
  v.bytes = read_file(folder / (name + ".block"));
  v.block = parse_block(v.bytes).value();
  v.palette = parse_palette(read_file(folder / (name + ".palette"))).value();
  return v;
}

}  // namespace lockline::tests
