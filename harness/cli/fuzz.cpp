#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

#include "corpus/bundled.hpp"
#include "corpus/mutate_recipe.hpp"
#include "corpus/mutators.hpp"
#include "formats/json_reader.hpp"
#include "harness/cli/fuzz_case.hpp"
#include "harness/cli/model_source.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/parallel.hpp"
#include "harness/cli/session.hpp"
#include "harness/report_text.hpp"
#include "harness/text.hpp"

namespace lockline::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Arguments {
  std::string recipe, donor, out, shard = "0/1", command;
  std::vector<std::string> mutators, merged;
  std::uint64_t seed = 1, cases = 1000;
  double seconds = 0;
  std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  harness::CheckOptions options;
};

/// A disagreement, folded by its cause.
struct Find {
  harness::Disagreement what;
  std::uint64_t first = 0, count = 0;
};

/// A campaign so far. Its file is what --out continues and merge puts together.
struct State {
  std::string source;
  std::uint64_t seed = 1, shard = 0, shards = 1;
  std::uint64_t done = 0;  ///< cases of this shard
  std::uint64_t built = 0, clean = 0;
  std::map<std::string, std::uint64_t, std::less<>> rules;
  std::map<std::pair<std::string, std::string>, Find> finds;
};

constexpr const char* state_schema = "lockline-fuzz-1";

std::string state_json(const State& s) {
  Json out{{"schema", state_schema}, {"source", s.source},    {"seed", s.seed},   {"shard", s.shard},
           {"shards", s.shards},     {"done", s.done},        {"built", s.built}, {"clean", s.clean},
           {"rules", s.rules},       {"finds", Json::array()}};
  for (const auto& [key, f] : s.finds)
    out["finds"].push_back({{"oracle", f.what.oracle},
                            {"cause", f.what.cause},
                            {"first", f.first},
                            {"count", f.count},
                            {"text", f.what.text}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<State> parse_state(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return tl::unexpected(Error{ErrorCode::bad_value, 0, "", "is not JSON"});
  State s;
  std::optional<Error> error;
  JsonReader in(json, "", error);
  std::string schema;
  in.require("schema", schema);
  if (!error && schema != state_schema) in.fail("/schema", std::string("must be \"") + state_schema + '"');
  in.require("source", s.source);
  for (const auto& [name, value] :
       {std::pair("seed", &s.seed), std::pair("shard", &s.shard), std::pair("shards", &s.shards),
        std::pair("done", &s.done), std::pair("built", &s.built), std::pair("clean", &s.clean)})
    in.require(name, *value);
  in.read_object("rules", [&](JsonReader& rules) {
    const auto counts = rules.rest();
    for (const auto& [rule, count] : counts.items())
      if (count.is_number_unsigned()) s.rules[rule] = count.get<std::uint64_t>();
  });
  std::vector<Find> finds;
  in.read_list("finds", finds, [](JsonReader& element) {
    Find f;
    element.require("oracle", f.what.oracle);
    element.require("cause", f.what.cause);
    element.require("first", f.first);
    element.require("count", f.count);
    element.require("text", f.what.text);
    return f;
  });
  in.finish();
  if (error) return tl::unexpected(*error);
  for (Find& f : finds) s.finds[{f.what.oracle, f.what.cause}] = f;
  return s;
}

void add(State& state, const State& other) {
  state.done += other.done;
  state.built += other.built;
  state.clean += other.clean;
  for (const auto& [rule, count] : other.rules) state.rules[rule] += count;
  for (const auto& [key, f] : other.finds) {
    const auto [known, fresh] = state.finds.try_emplace(key, f);
    if (fresh) continue;
    known->second.count += f.count;
    if (f.first < known->second.first) {
      known->second.first = f.first;
      known->second.what = f.what;
    }
  }
}

std::string summary(const State& s) {
  std::string out = fmt::format("{}: seed {}, shard {}/{}: {} cases, {} built, {} clean\n", s.source, s.seed,
                                s.shard, s.shards, s.done, s.built, s.clean);
  std::string never;
  std::size_t fired = 0;
  for (const harness::Rule& rule : harness::rules()) {
    if (s.rules.contains(rule.id))
      ++fired;
    else if (rule.partner == harness::Partner::none)
      never += fmt::format("{}{}", never.empty() ? "" : ", ", rule.id);
  }
  out += fmt::format("rules that fired: {} of {}\n", fired, harness::rules().size());
  if (!never.empty()) out += fmt::format("never: {}\n", harness::wrap(never, 7));
  for (const auto& [key, f] : s.finds)
    out += fmt::format("\nfind: {} / {}, in {}, first in case {}\n  {}\n", f.what.oracle, f.what.cause,
                       harness::counted(static_cast<std::uint32_t>(f.count), "case"), f.first,
                       harness::wrap(harness::printable(f.what.text), 2));
  return out + fmt::format("{} finds\n", s.finds.size());
}

class Campaign {
 public:
  Campaign(const Arguments& a, FuzzSource source, State state, Session& session)
      : a_(a), source_(std::move(source)), state_(std::move(state)), session_(session) {
    for (std::size_t i = 0; i < a.jobs; ++i)
      oracles_.push_back(std::make_unique<harness::Oracles>(a.options));
  }

  void run() {
    const auto start = Clock::now();
    const std::uint64_t began = state_.done;
    while (!over(start)) {
      batch();
      show(start, began);
    }
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    save();
    session_.output.print(summary(state_));
    if (!state_.finds.empty()) session_.raise(exit_findings);
  }

 private:
  struct Result {
    FuzzCase made;
    std::optional<harness::Judgement> judgement;
  };

  bool over(Clock::time_point start) const {
    if (a_.seconds > 0) return std::chrono::duration<double>(Clock::now() - start).count() >= a_.seconds;
    return state_.done >= a_.cases;
  }

  /// Cases are made and judged side by side and counted in their order, so the number of jobs does not
  /// matter.
  void batch() {
    std::uint64_t count = 64 * a_.jobs;
    if (a_.seconds <= 0) count = std::min(count, a_.cases - state_.done);
    std::vector<Result> results(count);
    parallel_for(a_.jobs, count, [&](std::size_t thread, std::size_t i) {
      results[i].made = make_case(source_, state_.seed, (state_.done + i) * state_.shards + state_.shard);
      if (results[i].made.bytes.empty()) return;
      if (auto judgement = judge_case(source_, results[i].made, thread, *oracles_[thread], a_.options))
        results[i].judgement = std::move(*judgement);
    });
    for (Result& r : results) count_in(r);
    state_.done += count;
  }

  void count_in(Result& r) {
    if (!r.judgement) return;
    ++state_.built;
    state_.clean += r.judgement->clean ? 1 : 0;
    for (const std::string_view rule : r.judgement->rules) ++state_.rules[std::string(rule)];
    for (const harness::Disagreement& d : r.judgement->disagreements) {
      const auto [known, fresh] = state_.finds.try_emplace({d.oracle, d.cause}, Find{d, r.made.number, 0});
      ++known->second.count;
      if (fresh && !a_.out.empty()) keep(d, r.made);
    }
  }

  /// The find's folder: reduced model, recipe, palette, verdict, and how to see it again.
  void keep(const harness::Disagreement& d, const FuzzCase& made) {
    const FuzzCase small = reduce(source_, made, d, 300, *oracles_[0], a_.options);
    const std::string folder = fmt::format("{}/finds/{}-{}", a_.out, d.oracle, d.cause);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const auto text = [&](const char* name, const std::string& content) {
      session_.check(folder, write_text(folder + "/" + name, content));
    };
    session_.check(folder, write_file(folder + "/model.block", small.bytes));
    if (!small.recipe.is_null()) text("recipe.json", small.recipe.dump(2) + "\n");
    const auto report = harness::check(small.bytes, a_.options);
    text("verdict.txt", fmt::format("{} / {}: {}\n\n", d.oracle, d.cause, d.text) +
                            (report ? harness::report_text({"model.block", *report}, false)
                                    : to_string(report.error()) + "\n"));
    if (const auto block = parse_block(small.bytes)) write_palette(*block, folder);
    text("replay.txt", fmt::format("lockline fuzz --donor {0}/model.block --mutators none --cases 1 --poses "
                                   "{1}\nlockline check {0}/model.block --poses {1}\n",
                                   folder, a_.options.poses.random_poses));
  }

  void write_palette(const Block& block, const std::string& folder) {
    const auto poses = harness::poses_of(a_.options.poses, block);
    if (!poses) return;
    Palette palette{static_cast<std::uint32_t>(poses->poses.size()),
                    static_cast<std::uint32_t>(poses->poses.front().matrices.size()),
                    {}};
    for (const harness::Pose& pose : poses->poses)
      palette.matrices.insert(palette.matrices.end(), pose.matrices.begin(), pose.matrices.end());
    session_.check(folder, write_file(folder + "/palette.bin", serialize(palette)));
  }

  void save() {
    if (a_.out.empty()) return;
    const std::string text = state_json(state_),
                      path = fmt::format("{}/state-{}-of-{}.json", a_.out, state_.shard, state_.shards);
    session_.check(path, write_text(path, text));
  }

  void show(Clock::time_point start, std::uint64_t began) {
    const auto now = Clock::now();
    if (now - shown_ < std::chrono::seconds(1)) return;
    shown_ = now;
    save();
    if (isatty(STDERR_FILENO) == 0) return;
    const double seconds = std::chrono::duration<double>(now - start).count();
    fmt::print(stderr, "\r{} cases, {:.0f}/s, {} finds, {} of {} rules fired", state_.done,
               static_cast<double>(state_.done - began) / seconds, state_.finds.size(), state_.rules.size(),
               harness::rules().size());
  }

  const Arguments& a_;
  FuzzSource source_;
  State state_;
  Session& session_;
  std::vector<std::unique_ptr<harness::Oracles>> oracles_;
  Clock::time_point shown_ = Clock::now();
};

std::optional<State> read_state(const std::string& path, Session& session) {
  const auto bytes = session.take(path, read_file(path, max_input_bytes));
  if (!bytes) return std::nullopt;
  return session.take(path, parse_state({reinterpret_cast<const char*>(bytes->data()), bytes->size()}));
}

/// "I/N", I below N.
bool parse_shard(const std::string& text, State& state) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return false;
  const auto number = [](std::string_view part, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() && !part.empty();
  };
  return number(std::string_view(text).substr(0, slash), state.shard) &&
         number(std::string_view(text).substr(slash + 1), state.shards) && state.shards != 0 &&
         state.shard < state.shards;
}

bool known_mutators(const Arguments& a, Session& session) {
  for (const std::string& name : a.mutators) {
    const auto table = corpus::mutators();
    const auto recipes = corpus::recipe_mutators();
    const bool known =
        name == "flips" || name == "none" ||
        std::find(recipes.begin(), recipes.end(), name) != recipes.end() ||
        std::any_of(table.begin(), table.end(), [&](const corpus::Mutator& m) { return m.name == name; });
    if (known) continue;
    std::string all = "flips, none";
    for (const std::string_view r : recipes) all += fmt::format(", {}", r);
    for (const corpus::Mutator& m : table) all += fmt::format(", {}", m.name);
    session.fail(name, "is no mutator; there are " + all);
    return false;
  }
  return true;
}

void run(Arguments& a, Session& session) {
  if (a.recipe.empty() == a.donor.empty()) return session.fail("fuzz", "name either --recipe or --donor");
  if (!known_mutators(a, session)) return;
  FuzzSource source;
  source.mutators = {a.mutators.begin(), a.mutators.end()};
  source.command = a.command;
  State state;
  state.source = a.recipe.empty() ? a.donor : a.recipe;
  state.seed = a.seed;
  if (!parse_shard(a.shard, state)) return session.fail(a.shard, "is no I/N with I from 0 to N-1");
  if (!a.recipe.empty()) {
    auto recipe = session.take(a.recipe, corpus::find(a.recipe));
    if (!recipe) return;
    source.recipe = std::move(*recipe);
  } else {
    auto bytes = session.take(a.donor, read_model_bytes(a.donor));
    if (!bytes || !session.take(a.donor, parse_block(*bytes))) return;
    source.donor = std::move(*bytes);
  }
  std::error_code error;
  if (!a.out.empty()) std::filesystem::create_directories(a.out, error);
  source.scratch = a.out.empty() ? std::filesystem::temp_directory_path().string() : a.out;
  const std::string path = fmt::format("{}/state-{}-of-{}.json", a.out, state.shard, state.shards);
  if (!a.out.empty() && std::filesystem::exists(path, error)) {
    auto saved = read_state(path, session);
    if (!saved) return;
    if (saved->source != state.source || saved->seed != state.seed)
      return session.fail(path, "is of another campaign; name another --out");
    state = std::move(*saved);
  }
  Campaign(a, std::move(source), std::move(state), session).run();
}

void merge(const Arguments& a, Session& session) {
  std::optional<State> all;
  for (const std::string& folder : a.merged) {
    std::error_code error;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (entry.path().filename().string().starts_with("state-") && entry.path().extension() == ".json")
        files.push_back(entry.path().string());
    if (files.empty()) session.fail(folder, "has no state-I-of-N.json");
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
      const auto state = read_state(file, session);
      if (!state) continue;
      if (!all) {
        all = *state;
        all->shard = 0;
        all->shards = 1;
      } else {
        add(*all, *state);
      }
    }
  }
  if (!all) return;
  session.output.print(summary(*all));
  if (!all->finds.empty()) session.raise(exit_findings);
}

}  // namespace

void add_fuzz(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  a->options.poses.random_poses = 2;
  CLI::App* command = app.add_subcommand(
      "fuzz", "Throw layouts at the rules, the emulation and a patcher, and see where they disagree");
  command->add_option("--recipe", a->recipe, "Bundled model to vary")->type_name("NAME");
  command->add_option("--donor", a->donor, "Model block to damage")->type_name("FILE");
  command->add_option("--seed", a->seed, "Of the campaign")->default_str("1");
  command->add_option("--cases", a->cases, "Cases of this shard")->default_str("1000");
  command->add_option("--time", a->seconds, "Seconds to run, instead of --cases")
      ->check(CLI::Range(0.1, 1e7))
      ->type_name("T");
  command->add_option("--jobs", a->jobs, "Cases at once; the outcome does not depend on it")
      ->check(CLI::Range(1U, 256U));
  command->add_option("--shard", a->shard, "This machine's part of the campaign, 0/4 to 3/4")
      ->default_str("0/1")
      ->type_name("I/N");
  command->add_option("--mutators", a->mutators, "What may be changed; 'none' judges the model as it is")
      ->delimiter(',')
      ->type_name("LIST");
  command
      ->add_option("--command", a->command,
                   "A patcher under test: what it makes of a clean model must be clean")
      ->type_name("'CMD {in} {out}'");
  command
      ->add_option("--out", a->out,
                   "Where the campaign's state and finds are kept; a campaign there is continued")
      ->type_name("DIR");
  command->add_option("--poses", a->options.poses.random_poses, "Random poses beside the rest pose")
      ->check(CLI::Range(0U, 100U))
      ->default_str("2");
  add_machine_options(*command, a->options.machine);
  CLI::App* merged = command->add_subcommand("merge", "Put the states of a campaign's shards together");
  merged->add_option("folders", a->merged, "What --out named")->required()->type_name("DIR");
  merged->callback([a, &session] { merge(*a, session); });
  command->footer(
      "Oracles: a rule that no frame confirms (rules), damage that no rule foresees (emulation), SIMD and "
      "fast path\n"
      "against the scalar exact path (paths), positions against exact weighted skinning (exact), "
      "serialize(parse(x))\n"
      "(parse), the patcher (command). Exit code: 0 no finds, 1 finds, 2 usage.\n\n"
      "Example:\n  lockline fuzz --recipe plain-body --cases 5000 --out campaign\n");
  command->callback([a, merged, &session] {
    if (!merged->parsed()) run(*a, session);
  });
}

}  // namespace lockline::cli
