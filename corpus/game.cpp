#include "corpus/game.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "corpus/animation.hpp"
#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "formats/game.hpp"
#include "formats/view.hpp"

namespace lockline::corpus {
namespace {

using Data = std::vector<std::uint8_t>;

constexpr std::uint32_t retail_end = 715'046'144, chunks = 172, distinct = 180, broken_models = 6,
                        archives = 30, members = 6, appended = 10, bats = 24;
constexpr std::uint32_t load_delta = 0x80003F00, name_address = 0x8067F658, directories_at = 0x69CB00;

/// Distinct skinned models; 2k and 2k + 1 have the same skeleton.
Expected<std::vector<Data>> skinned_models() {
  std::vector<Recipe> clean;
  for (const Recipe& recipe : bundled())
    if (recipe.body && recipe.description.ends_with("clean")) clean.push_back(recipe);
  const std::array<const char*, broken_models> broken{"sk1-one-odd",   "writeback-colour-header",
                                                      "weights-under", "memclr-missing",
                                                      "shared-line",   "dest-misaligned"};
  std::vector<Data> out;
  for (std::uint32_t i = 0; i < distinct; ++i) {
    Recipe recipe = i < broken_models ? find(broken[i]).value() : clean[i / 2 % clean.size()];
    if (i >= broken_models) recipe.seed = 1000 + i;
    auto bytes = build_bytes(recipe);
    if (!bytes) return tl::unexpected(bytes.error());
    out.push_back(std::move(*bytes));
  }
  return out;
}

class Dat {
 public:
  GameFile add(Data bytes) { return add_at(next_, std::move(bytes)); }
  GameFile append(Data bytes) { return add_at(std::max<std::uint64_t>(next_, retail_end), std::move(bytes)); }
  std::vector<Game::Extent> take() { return std::move(extents_); }
  std::uint64_t end() const { return next_; }

 private:
  GameFile add_at(std::uint64_t offset, Data bytes) {
    const auto length = static_cast<std::uint32_t>(bytes.size());
    next_ = align_up(offset + length, std::uint64_t{0x800});
    extents_.push_back({offset, std::move(bytes)});
    return {length, static_cast<std::uint32_t>(offset), align_up(length, cache_line)};
  }

  std::vector<Game::Extent> extents_;
  std::uint64_t next_ = 0x800;
};

Data archive_of(const std::vector<Data>& contents) {
  Data out(align_up(static_cast<std::uint32_t>(4 + 4 * (contents.size() + 1)), cache_line));
  store_be(out.data(), static_cast<std::uint32_t>(contents.size() + 1));  // one member is empty
  for (std::size_t i = 0; i < contents.size(); ++i) {
    store_be(out.data() + 4 + 4 * i, static_cast<std::uint32_t>(out.size()));
    out.insert(out.end(), contents[i].begin(), contents[i].end());
    out.resize(align_up(static_cast<std::uint32_t>(out.size()), cache_line));
  }
  return out;
}

using Directory = std::vector<std::array<GameFile, languages>>;

std::array<GameFile, languages> everywhere(GameFile file) {
  return {file, file, file};
}

Data executable(const std::vector<Directory>& directories) {
  const DirectoryTable table;
  std::uint32_t at = directories_at;
  for (const Directory& d : directories) at += static_cast<std::uint32_t>(d.size()) * 48;
  Data dol(at);
  store_be(dol.data(), Dol::header_bytes);
  store_be(dol.data() + 0x48, Dol::header_bytes + load_delta);
  store_be(dol.data() + 0x90, static_cast<std::uint32_t>(dol.size()) - Dol::header_bytes);
  constexpr std::string_view name = "dt_na.dat";
  std::copy(name.begin(), name.end(), dol.begin() + (name_address - load_delta));
  at = directories_at;
  for (std::size_t i = 0; i < directories.size(); ++i) {
    store_be(dol.data() + table.begin + 4 * i, at + load_delta);
    for (const auto& file : directories[i]) {
      for (const GameFile& slot : file) {
        for (const std::uint32_t word : {name_address, slot.length, slot.offset, slot.allocation}) {
          store_be(dol.data() + at, word);
          at += 4;
        }
      }
    }
  }
  return dol;
}

}  // namespace

Expected<Game> make_game() {
  const auto models = skinned_models();
  if (!models) return tl::unexpected(models.error());
  Recipe rigid = find("small-body").value();
  rigid.body.reset();
  rigid.facial.objects.clear();
  const auto bat = build_bytes(rigid);
  if (!bat) return tl::unexpected(bat.error());
  Dat dat;
  const GameFile bank = dat.add(serialize(build_animation(find("plain-body").value()))),
                 stick = dat.add(*bat);
  std::vector<GameFile> packs, single;
  for (std::uint32_t a = 0; a < archives; ++a)
    packs.push_back(
        dat.add(archive_of({models->begin() + a * members, models->begin() + (a + 1) * members})));
  for (std::uint32_t i = 0; i < distinct; ++i)
    single.push_back(i + appended < distinct ? dat.add((*models)[i]) : dat.append((*models)[i]));
  std::vector<Directory> directories(chunks);
  for (std::uint32_t c = 0; c < chunks; ++c) {
    const std::uint32_t pair = c % (distinct / 2);
    Directory& d = directories[c];
    d = {everywhere(single[2 * pair]),
         everywhere(single[2 * pair + 1]),
         everywhere(c < bats ? stick : GameFile{}),
         everywhere({}),
         everywhere(bank),
         everywhere(packs[c % archives])};
    if (c % 3 == 0) d[0][2] = single[2 * ((pair + 1) % (distinct / 2))];  // one language has another model
  }
  Game game;
  game.dol = executable(directories);
  game.size = dat.end();
  game.extents = dat.take();
  std::sort(game.extents.begin(), game.extents.end(),
            [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return game;
}

}  // namespace lockline::corpus
