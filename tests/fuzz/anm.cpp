#include <algorithm>

#include "formats/anm.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto anm = lockline::parse_anm({data, size});
  if (!anm) return 0;
  const auto again = lockline::serialize(*anm);
  if (!std::equal(again.begin(), again.end(), data, data + size)) __builtin_trap();
  return 0;
}
