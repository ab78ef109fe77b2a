#include "formats/palette.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockline::parse_palette({data, size});
  return 0;
}
