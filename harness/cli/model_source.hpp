#pragma once

#include "formats/game.hpp"
#include "harness/cli/files.hpp"

namespace lockline::cli {

/// What an extracted game consists of, wherever Dolphin put it: DIR/sys/main.dol and DIR/files/dt_na.dat, or
/// both in DIR.
struct GamePaths {
  std::string dol, dat;
};
Result<GamePaths> find_game(const std::string& folder);

/// The index of an executable.
Result<GameIndex> read_game_index(const std::string& dol, const DirectoryTable& table = {});

/// A model block, by any of its names:
///   a file                      the block itself, or a .sluggie file that carries it
///   DAT:OFFSET[:LENGTH]         bytes of dt_na.dat; without LENGTH up to 4 MB (vanilla blocks are below 2)
///   GAME:CHUNK/FILE[/MEMBER]    a file of an extracted game's folder, language slot 0
/// Numbers are decimal, or hexadecimal after 0x.
Result<std::vector<std::uint8_t>> read_model_bytes(const std::string& name);

}  // namespace lockline::cli
