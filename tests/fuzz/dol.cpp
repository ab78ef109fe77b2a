#include "formats/game.hpp"

/// With a directory table in the first bytes, so that small inputs reach everything.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lockline::read_index({data, size}, {0x100, 0x140, 0});
  lockline::read_index({data, size}, {0x100, 0x140, 0x8067F658});
  return 0;
}
