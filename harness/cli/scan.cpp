#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <map>
#include <memory>
#include <set>

#include "harness/cli/dat_file.hpp"
#include "harness/cli/model_source.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/parallel.hpp"
#include "harness/cli/session.hpp"
#include "harness/scan.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string folder, dol, dat, format = "text", html;
  std::vector<std::string> original;
  DirectoryTable table;
  std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  harness::Severity threshold = harness::Severity::corrupt;
  harness::CheckOptions options;
};

/// Bytes of dt_na.dat, and where the game names them.
struct Range {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;

  auto operator<=>(const Range&) const = default;
};

/// Chunk, file and member (-1: the file itself).
struct PlaceKey {
  std::uint32_t chunk = 0, file = 0;
  std::int32_t member = -1;
  std::uint32_t language = 0;

  auto operator<=>(const PlaceKey&) const = default;
  std::string text() const {
    std::string out = fmt::format("{}/{}", chunk, file);
    if (member >= 0) out += fmt::format("/{}", member);
    return language == 0 ? out : fmt::format("{} (language {})", out, language);
  }
};

/// The models of a game, before any is checked.
struct Catalogue {
  struct Model {
    Range bytes;
    std::vector<PlaceKey> places;
  };
  std::vector<Model> models;              ///< distinct, in the game's order
  std::map<PlaceKey, std::size_t> where;  ///< model by place
};

class Collector {
 public:
  Collector(DatFile& dat, harness::ScanReport& report) : dat_(dat), report_(report) {}

  Catalogue collect(const GameIndex& index) {
    for (const Error& problem : index.problems) report_.problems.push_back(to_string(problem));
    report_.directories = static_cast<std::uint32_t>(index.directories.size());
    for (std::uint32_t c = 0; c < index.directories.size(); ++c)
      for (std::uint32_t f = 0; f < index.directories[c].files.size(); ++f)
        add_file(index.directories[c].files[f], c, f);
    return std::move(catalogue_);
  }

 private:
  /// What a range of the file was found to be: models by member.
  struct Content {
    GameFileKind kind = GameFileKind::other;
    std::vector<std::pair<std::int32_t, std::size_t>> models;
  };

  void add_file(const std::array<GameFile, languages>& slots, std::uint32_t chunk, std::uint32_t file) {
    std::set<Range> seen;  // other languages that name the same bytes are the same place
    for (std::uint32_t l = 0; l < languages; ++l) {
      const Range range{slots[l].offset, slots[l].length};
      if (range.length == 0 || !seen.insert(range).second) continue;
      ++report_.files;
      const Content& content = content_of(range, PlaceKey{chunk, file, -1, l});
      if (l == 0) {
        report_.archives += content.kind == GameFileKind::archive ? 1 : 0;
        report_.others += content.kind == GameFileKind::other ? 1 : 0;
        report_.blocks += static_cast<std::uint32_t>(content.models.size());
      }
      for (const auto& [member, model] : content.models) {
        const PlaceKey place{chunk, file, member, l};
        catalogue_.models[model].places.push_back(place);
        catalogue_.where[place] = model;
      }
    }
  }

  const Content& content_of(const Range& range, const PlaceKey& place) {
    const auto [known, fresh] = contents_.try_emplace(range);
    if (!fresh) return known->second;
    const auto bytes = dat_.read(range.offset, range.length);
    if (!bytes) {
      report_.problems.push_back(fmt::format("{}: {}", place.text(), bytes.error()));
      return known->second;
    }
    Content& content = known->second;
    content.kind = kind_of(*bytes);
    if (content.kind == GameFileKind::model) {
      content.models.emplace_back(-1, model_of(*bytes, range));
    } else if (content.kind == GameFileKind::archive) {
      const auto members = parse_archive(*bytes);  // kind_of has read it
      for (const ArchiveMember& m : *members) {
        const Bytes part = Bytes(*bytes).subspan(m.begin, m.end - m.begin);
        if (kind_of(part) == GameFileKind::model)
          content.models.emplace_back(static_cast<std::int32_t>(m.number),
                                      model_of(part, {range.offset + m.begin, m.end - m.begin}));
      }
    }
    return content;
  }

  /// The same bytes elsewhere are the same model; an archive pads its members, so trailing zeros do not
  /// count.
  std::size_t model_of(Bytes bytes, const Range& range) {
    std::size_t end = bytes.size();
    while (end > 0 && bytes[end - 1] == 0) --end;
    const auto hash = XXH3_128bits(bytes.data(), end);
    const auto [known, fresh] = by_hash_.try_emplace({hash.high64, hash.low64}, catalogue_.models.size());
    if (fresh) catalogue_.models.push_back({range, {}});
    return known->second;
  }

  DatFile& dat_;
  harness::ScanReport& report_;
  Catalogue catalogue_;
  std::map<Range, Content> contents_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> by_hash_;
};

/// A game that is open: its models and its file, once for each thread.
struct Game {
  Catalogue catalogue;
  std::vector<DatFile> files;

  std::optional<Block> block(std::size_t thread, const PlaceKey& place) {
    const auto model = catalogue.where.find(place);
    if (model == catalogue.where.end()) return std::nullopt;
    const Range& range = catalogue.models[model->second].bytes;
    const auto bytes = files[thread].read(range.offset, range.length);
    if (!bytes) return std::nullopt;
    auto parsed = parse_block(*bytes);
    if (!parsed) return std::nullopt;
    return std::move(*parsed);
  }
};

std::optional<Game> open_game(const std::string& dol, const std::string& dat, const Arguments& a,
                              harness::ScanReport& report, Session& session) {
  const auto index = session.take(dol, read_game_index(dol, a.table));
  if (!index) return std::nullopt;
  Game game;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, a.jobs); ++i) {
    auto file = session.take(dat, DatFile::open(dat));
    if (!file) return std::nullopt;
    game.files.push_back(std::move(*file));
  }
  game.catalogue = Collector(game.files[0], report).collect(*index);
  return game;
}

constexpr std::uint32_t high_file = 0, low_file = 1;  // of a character's directory

harness::ScannedModel check_model(std::size_t thread, std::size_t number, Game& game, Game* original,
                                  harness::Checker& checker) {
  const Catalogue::Model& model = game.catalogue.models[number];
  const PlaceKey& first = model.places.front();
  harness::ScannedModel out;
  for (const PlaceKey& place : model.places) out.places.push_back(place.text());
  out.offset = model.bytes.offset;
  out.length = model.bytes.length;
  const auto bytes = game.files[thread].read(model.bytes.offset, model.bytes.length);
  std::optional<Block> donor, pair;
  if (original != nullptr) donor = original->block(thread, first);
  if (first.member < 0 && first.file == low_file)
    pair = game.block(thread, {first.chunk, high_file, -1, first.language});
  const harness::Partners partners{.donor = donor ? &*donor : nullptr, .pair = pair ? &*pair : nullptr};
  out.report = {
      out.places.front(), bytes.and_then([&](const std::vector<std::uint8_t>& b) {
        return checker.check(b, partners).map_error([](const Error& error) { return to_string(error); });
      })};
  out.skinned = out.report.report && out.report.report->not_emulated.empty();
  return out;
}

/// "checked 120 of 205" on a terminal.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), shown_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void step() {
    const std::size_t done = ++done_;
    if (shown_ && done % 16 == 0) fmt::print(stderr, "\rchecked {} of {}", done, total_);
  }

 private:
  std::size_t total_;
  bool shown_;
  std::atomic<std::size_t> done_{0};
};

void check_all(const Arguments& a, Game& game, Game* original, harness::ScanReport& report) {
  const std::size_t count = game.catalogue.models.size();
  report.models.resize(count);
  std::vector<std::unique_ptr<harness::Checker>> checkers;
  for (std::size_t i = 0; i < game.files.size(); ++i)
    checkers.push_back(std::make_unique<harness::Checker>(a.options));
  Progress progress(count);
  parallel_for(game.files.size(), count, [&](std::size_t thread, std::size_t i) {
    report.models[i] = check_model(thread, i, game, original, *checkers[thread]);
    progress.step();
  });
  harness::sort_worst_first(report);
}

void print(const Arguments& a, const harness::ScanReport& report, Session& session) {
  session.output.print(a.format == "json" ? harness::scan_json(report, a.options, a.threshold)
                                          : harness::scan_text(report, a.threshold));
  if (a.html.empty()) return;
  const std::string page = harness::scan_html(report, a.threshold);
  std::vector<std::string> inputs{a.dol, a.dat};
  inputs.insert(inputs.end(), a.original.begin(), a.original.end());
  session.check(a.html, write_text(a.html, page, inputs));
}

void run(Arguments& a, Session& session) {
  if (!a.folder.empty()) {
    const auto paths = session.take(a.folder, find_game(a.folder));
    if (!paths) return;
    a.dol = paths->dol;
    a.dat = paths->dat;
  }
  if (a.dol.empty() || a.dat.empty())
    return session.fail("scan", "name the extracted game's folder, or --dol and --dat");
  harness::ScanReport report, ignored;
  auto game = open_game(a.dol, a.dat, a, report, session);
  if (!game) return;
  std::optional<Game> original;
  if (!a.original.empty()) {
    original = open_game(a.original[0], a.original[1], a, ignored, session);
    if (!original) return;
  }
  check_all(a, *game, original ? &*original : nullptr, report);
  print(a, report, session);
  for (const harness::ScannedModel& model : report.models) {
    if (!model.report.report) session.raise(exit_unusable);
    if (model.report.report && harness::fails(*model.report.report, a.threshold))
      session.raise(exit_findings);
  }
  if (!report.problems.empty()) session.raise(exit_unusable);
}

}  // namespace

void add_scan(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("scan", "Check every model of an extracted game, worst first");
  command->add_option("game", a->folder, "Folder of the extracted game")->type_name("FOLDER");
  command->add_option("--dol", a->dol, "The executable, main.dol")->type_name("FILE");
  command->add_option("--dat", a->dat, "The files, dt_na.dat")->type_name("FILE");
  command->add_option("--original", a->original, "The unpatched executable and files: every model's donor")
      ->expected(2)
      ->type_name("DOL DAT");
  command
      ->add_option("--table", a->table.begin, "Where the executable has its directory table, in file bytes")
      ->default_str("0x69C828");
  command->add_option("--table-end", a->table.end, "Where the table ends")->default_str("0x69CAD8");
  command->add_option("--name-pointer", a->table.name_pointer, "What every entry starts with")
      ->default_str("0x8067F658");
  command->add_option("--format", a->format, "The report on standard output")
      ->check(CLI::IsMember({"text", "json"}))
      ->default_str("text");
  command->add_option("--html", a->html, "Also write the report as a page")->type_name("FILE");
  command->add_option("--jobs", a->jobs, "Models checked at once")->check(CLI::Range(1U, 256U));
  command
      ->add_option_function<std::string>(
          "--fail-on", [a](const std::string& s) { a->threshold = *harness::parse_severity(s); },
          "Least severity that makes the exit code 1")
      ->check(CLI::IsMember({"crash", "corrupt", "risk", "note"}))
      ->default_str("corrupt");
  command->add_option("--poses", a->options.poses.random_poses, "Random poses beside the rest pose")
      ->check(CLI::Range(0U, 1000U))
      ->default_str("8");
  command->add_option("--seed", a->options.poses.seed, "Of the random poses")->default_str("1");
  add_machine_options(*command, a->options.machine);
  command->footer(
      "Blocks that share bytes are checked once. A low model (file 1) is compared with its directory's high "
      "model\n"
      "(file 0), every model with the one at its place in --original.\n"
      "Exit code: 0 nothing at the threshold, 1 findings, 2 something could not be read.\n\n"
      "Try it on a made-up game:\n  lockline corpus game /tmp/game && lockline scan /tmp/game --html "
      "/tmp/scan.html\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
