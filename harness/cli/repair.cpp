#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "corpus/relayout.hpp"
#include "harness/cli/exact_vertices.hpp"
#include "harness/cli/model_source.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/session.hpp"
#include "harness/finding_json.hpp"
#include "harness/renumbering.hpp"
#include "harness/report_text.hpp"
#include "harness/text.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string file, output;
  Format format = Format::text;
  harness::Severity threshold = harness::Severity::corrupt;
  harness::CheckOptions options;
};

/// A repaired model and what is known of it.
struct Repair {
  corpus::Relayout layout;
  harness::CheckReport before, after;
  harness::ExactResult proof;
  std::uint8_t shift = 0;         ///< of the positions: units = raw steps / 2^shift
  std::uint8_t skn_shift = 0;     ///< what SKN said it was
  std::uint32_t disagreeing = 0;  ///< vertices whose bind pose in the position array is another

  bool proved() const { return !proof.stopped && proof.components != 0 && proof.beyond == 0; }
};

/// Everything is drawn as before, from the slots that the vertices have now.
Expected<void> draws_the_same(const harness::Subject& before, const harness::Subject& after,
                              const corpus::Relayout& layout) {
  std::vector<harness::SlotPair> moves;
  for (std::size_t i = 0; i < layout.before.size(); ++i)
    moves.push_back({layout.before[i].slot, layout.slots[i]});
  const auto drawn = harness::renumbering(before, after);
  if (!drawn) return tl::unexpected(drawn.error());
  if (std::ranges::includes(moves, *drawn)) return {};
  return tl::unexpected(
      Error{ErrorCode::bad_value, 0, "GPL / submesh 0", "draws other vertices than before"});
}

std::uint32_t disagreeing(const Block& block, const std::vector<corpus::SlotVertex>& vertices) {
  const auto& raw = std::get<std::vector<std::int16_t>>(block.skinned_positions()->values);
  return static_cast<std::uint32_t>(std::ranges::count_if(vertices, [&](const corpus::SlotVertex& v) {
    const std::size_t at = v.slot * v.vertex.bind.size();
    return at + v.vertex.bind.size() <= raw.size() &&
           !std::equal(v.vertex.bind.begin(), v.vertex.bind.end(),
                       raw.begin() + static_cast<std::ptrdiff_t>(at));
  }));
}

Expected<Repair> repaired(const std::vector<std::uint8_t>& bytes, const harness::CheckOptions& options) {
  const auto block = parse_block(bytes);
  if (!block) return tl::unexpected(block.error());
  auto layout = corpus::relay_out(bytes, *block);
  if (!layout) return tl::unexpected(layout.error());
  const auto result = parse_block(layout->bytes);
  if (!result) return tl::unexpected(result.error());
  const harness::Subject subject(layout->bytes, *result);
  if (auto same = draws_the_same({bytes, *block}, subject, *layout); !same)
    return tl::unexpected(same.error());
  auto proof = harness::compare_exact(subject, exact_vertices(layout->before, layout->slots), options);
  if (!proof) return tl::unexpected(proof.error());
  auto before = harness::check(bytes, options), after = harness::check(layout->bytes, options);
  if (!before || !after) return tl::unexpected(before ? after.error() : before.error());
  const std::uint32_t others = disagreeing(*block, layout->before);
  return Repair{std::move(*layout),
                std::move(*before),
                std::move(*after),
                *proof,
                result->skinned_positions()->header.quantization.shift(),
                block->skn->quantize_info,
                others};
}

/// A repair never trades one failure for another.
bool made_worse(const Repair& r) {
  const auto serious = [](const harness::CheckReport& report) {
    return harness::count(report.findings, harness::Severity::crash) +
           harness::count(report.findings, harness::Severity::corrupt);
  };
  return worst(r.after.findings) > worst(r.before.findings) || serious(r.after) > serious(r.before);
}

std::uint32_t moved_slots(const corpus::Relayout& layout) {
  std::uint32_t moved = 0;
  for (std::size_t i = 0; i < layout.before.size(); ++i)
    moved += layout.before[i].slot != layout.slots[i] ? 1 : 0;
  return moved;
}

/// "skn.count.min (2), run.fault (1)": those above a note, in the report's order.
std::string rules_of(const std::vector<harness::Finding>& findings) {
  std::vector<std::pair<std::string_view, std::uint32_t>> rules;
  for (const harness::Finding& f : findings) {
    if (f.severity == harness::Severity::note) continue;
    const auto known = std::ranges::find(rules, f.rule, &std::pair<std::string_view, std::uint32_t>::first);
    if (known != rules.end()) {
      ++known->second;
    } else {
      rules.emplace_back(f.rule, 1);
    }
  }
  std::string out;
  for (const auto& [rule, n] : rules) out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", rule, n);
  return out;
}

std::string verdict(const harness::CheckReport& report) {
  std::string out;
  for (const harness::Severity severity :
       {harness::Severity::crash, harness::Severity::corrupt, harness::Severity::risk})
    if (const auto n = harness::count(report.findings, severity); n != 0)
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, name(severity));
  return out.empty() ? "clean" : out + ": " + rules_of(report.findings);
}

/// What had to be decided about the vertices, a line each.
std::string decisions(const Repair& r) {
  const auto vertices = [](std::uint32_t n) { return harness::counted(n, "vertex", "vertices"); };
  const auto written_twice = static_cast<std::uint32_t>(
      std::ranges::count_if(r.layout.before, [](const corpus::SlotVertex& v) { return v.writers > 1; }));
  std::string out;
  const auto add = [&out](const std::string& line) { out += "  taken      " + line + "\n"; };
  if (written_twice != 0)
    add(vertices(written_twice) +
        " written by several entries: as the last one has them, which the game shows");
  if (r.disagreeing != 0)
    add(vertices(r.disagreeing) +
        " whose bind pose in the position array is another: as the entries' sources have them");
  if (r.skn_shift != r.shift)
    add(fmt::format("SKN's shift byte {:#04x} for the {} that the positions are drawn with", r.skn_shift,
                    r.shift));
  return out;
}

std::string text_of(const Arguments& a, const Repair& r, bool colour) {
  std::string out = fmt::format("{}\n  before     {}\n  after      {}\n", harness::printable(a.file),
                                verdict(r.before), verdict(r.after));
  out += decisions(r);
  out += fmt::format(
      "  changed    {} of {} got another slot; {} entries became {}; {:#x} bytes of room after the "
      "positions; SKN {} by {:#x} bytes\n",
      moved_slots(r.layout),
      harness::counted(static_cast<std::uint32_t>(r.layout.before.size()), "vertex", "vertices"),
      r.layout.entries_before, r.layout.entries_after, r.layout.gpl_growth,
      r.layout.skn_growth < 0 ? "shrank" : "grew", std::abs(r.layout.skn_growth));
  out += fmt::format(
      "  proof      {} compared with the exact weighted skinning: the farthest component is {:.3f} raw steps "
      "({:.6f} units) off where {:.2f} are allowed (slot {}, frame {}), {}\n",
      harness::counted(r.proof.frames, "pose"), r.proof.largest, std::ldexp(r.proof.largest, -r.shift),
      r.proof.allowed, r.proof.largest_slot, r.proof.largest_frame,
      r.proof.stopped       ? "and a frame stops at a fault"
      : r.proof.beyond == 0 ? "none by more than its passes' rounding"
                            : fmt::format("{} by more than its passes' rounding, the first in slot {}",
                                          r.proof.beyond, r.proof.first_slot));
  if (r.proof.clamped != 0)
    out += fmt::format("             {} components leave s16 and were not compared\n", r.proof.clamped);
  for (const harness::Finding& f : r.after.findings)
    if (f.severity != harness::Severity::note) out.append("\n").append(harness::finding_text(f, colour));
  return out;
}

std::string json_of(const Arguments& a, const Repair& r) {
  using Json = nlohmann::ordered_json;
  const auto findings = [](const harness::CheckReport& report) {
    Json list = Json::array();
    for (const harness::Finding& f : report.findings) list.push_back(harness::finding_json(f));
    return list;
  };
  Json slots = Json::array();
  for (std::size_t i = 0; i < r.layout.before.size(); ++i)
    slots.push_back(Json::array({r.layout.before[i].slot, r.layout.slots[i]}));
  return Json{{"schema", "lockline-repair-1"},
              {"file", a.file},
              {"output", a.output},
              {"proved", r.proved()},
              {"entries", {{"before", r.layout.entries_before}, {"after", r.layout.entries_after}}},
              {"growth", {{"gpl", r.layout.gpl_growth}, {"skn", r.layout.skn_growth}}},
              {"proof",
               {{"poses", r.proof.frames},
                {"components", r.proof.components},
                {"largest", r.proof.largest},
                {"units", std::ldexp(r.proof.largest, -r.shift)},
                {"allowed", r.proof.allowed},
                {"slot", r.proof.largest_slot},
                {"beyond", r.proof.beyond},
                {"clamped", r.proof.clamped}}},
              {"slots", slots},
              {"before", findings(r.before)},
              {"after", findings(r.after)}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

void refuse(const Arguments& a, const std::vector<std::uint8_t>& bytes, const Error& why, Session& session) {
  const auto report = harness::check(bytes, a.options);
  const std::string found = report ? rules_of(report->findings) : "";
  session.fail(a.file, "cannot be repaired by a new layout: " + to_string(why) +
                           (found.empty() ? "" : "; check finds " + found));
}

void run(const Arguments& a, Session& session) {
  const auto bytes = session.take(a.file, read_model_bytes(a.file));
  if (!bytes) return;
  const auto repair = repaired(*bytes, a.options);
  if (!repair) return refuse(a, *bytes, repair.error(), session);
  session.output.print(a.format == Format::json ? json_of(a, *repair)
                                                : text_of(a, *repair, shows_colour(stdout)));
  if (made_worse(*repair))
    return session.fail(a.file, "the new layout breaks more than it mends; nothing was written");
  if (!repair->proved())
    return session.fail(a.file, "the new layout does not do what the weights say; nothing was written");
  if (harness::fails(repair->after, a.threshold)) session.raise(exit_findings);
  session.check(a.output, write_file(a.output, repair->layout.bytes, {a.file}));
}

}  // namespace

void add_repair(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "repair", "Lay the skin out anew, as the game wants it, and prove that it does the same");
  command->add_option("file", a->file, "Model block")->required()->type_name("FILE");
  command->add_option("-o,--output", a->output, "Where the repaired block goes")
      ->required()
      ->type_name("FILE");
  add_format(*command, a->format);
  command
      ->add_option("--poses", a->options.poses.random_poses,
                   "Random poses of the proof, beside the rest pose")
      ->check(CLI::Range(0U, 1000U));
  command->add_option("--seed", a->options.poses.seed, "Of the random poses");
  add_machine_options(*command, a->options.machine);
  command->footer(
      "The weights, bones and bind pose are taken as the file has them. What does not say what is meant "
      "(weights\n"
      "that do not sum to 256, bones that are not there, entries between slots) is refused, with the "
      "reason.\n"
      "Nothing is written unless every vertex is where the exact weighted skinning puts it, up to rounding.\n"
      "Exit code: 0 repaired, 1 written, but findings remain (corrupt or worse), 2 refused or unusable.\n\n"
      "Example:\n  lockline repair luigi-patched.block -o luigi-repaired.block\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
