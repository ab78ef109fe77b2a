#include "formats/quantization.hpp"

#include <fmt/format.h>

namespace lockline {

Expected<ComponentType> component_type(Quantization q, std::uint32_t offset, const char* structure) {
  switch (q.format()) {
    case 0:
    case 3:
      return ComponentType::s16;
    case 2:
      return ComponentType::u16;
    case 4:
    case 7:
    case 0xA:
      return ComponentType::f32;
    default:
      break;
  }
  return tl::unexpected(
      Error{ErrorCode::bad_value, offset, structure,
            fmt::format("quantization byte {:#04x} has format {:#x}; the game's formats are 0 and 3 (s16), 2 "
                        "(u16), 4, 7 and 0xa (float), so the array's values cannot be read",
                        q.raw, q.format())});
}

Expected<std::uint32_t> colour_size(Quantization q, std::uint32_t offset, const char* structure) {
  switch (q.format()) {
    case 0:
    case 3:
      return 2U;
    case 1:
    case 4:
      return 3U;
    case 2:
    case 5:
      return 4U;
    default:
      break;
  }
  return tl::unexpected(Error{
      ErrorCode::bad_value, offset, structure,
      fmt::format("quantization byte {:#04x} has colour format {:#x}; the game's formats are 0 to 5, so "
                  "the colours cannot be read",
                  q.raw, q.format())});
}

}  // namespace lockline
