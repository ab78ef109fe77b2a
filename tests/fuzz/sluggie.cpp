#include "formats/sluggie.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockline::parse_sluggie({reinterpret_cast<const char*>(data), size});
  return 0;
}
