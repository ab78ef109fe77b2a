#include "formats/game.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockline::kind_of({data, size});
  lockline::parse_archive({data, size});
  return 0;
}
