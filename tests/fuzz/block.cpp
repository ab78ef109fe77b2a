#include "tests/fuzz/section.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockline::fuzz::exercise({data, size});
  return 0;
}
