#pragma once

#include <cstdint>
#include <vector>

#include "formats/error.hpp"

namespace lockline::corpus {

/// A made-up game: an executable with a directory table, and what dt_na.dat holds where. 172 directories with
/// high and low models, archives, animation banks and three language slots; files share offsets and bytes;
/// some blocks lie past the retail file's end. 1,400 blocks in all, 180 distinct skinned models, of which 6
/// are broken.
struct Game {
  struct Extent {
    std::uint64_t offset = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<std::uint8_t> dol;
  std::vector<Extent> extents;  ///< ascending; zeros between them
  std::uint64_t size = 0;       ///< of dt_na.dat
};

/// The same game every time.
Expected<Game> make_game();

}  // namespace lockline::corpus
