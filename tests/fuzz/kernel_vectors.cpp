#include "formats/kernel_vectors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockline::parse_kernel_vectors({data, size});
  return 0;
}
