#include "tests/fuzz/section.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockline::fuzz::exercise(lockline::fuzz::block_with(lockline::fuzz::Section::act, {data, size}));
  return 0;
}
