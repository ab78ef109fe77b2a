#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "formats/view.hpp"

namespace lockline {

/// What a .sluggie file of the Blender add-on says of the model it came from. Source: formats.md ".sluggie".
struct Sluggie {
  std::uint64_t offset = 0;  ///< of the block in dt_na.dat
  std::uint32_t length = 0;
  std::optional<std::uint32_t> chunk, file;
  std::optional<std::vector<std::uint8_t>> donor;  ///< the block itself, when the file carries it
};

/// Binary fields are base64, "z:" and base64 of a zlib stream, or a list of byte values. Errors: bad_value
/// with the JSON path; too_large for a block over max_block_bytes, packed or not.
Expected<Sluggie> parse_sluggie(std::string_view text);

}  // namespace lockline
