#include "harness/cli/fuzz_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "corpus/breaks.hpp"
#include "corpus/builder.hpp"
#include "corpus/mutate_recipe.hpp"
#include "corpus/mutators.hpp"
#include "harness/cli/exact_vertices.hpp"
#include "harness/cli/files.hpp"

namespace lockline::cli {
namespace {

constexpr std::string_view flips = "flips";

bool allowed(const FuzzSource& source, std::string_view name) {
  return source.mutators.empty() || source.mutators.contains(std::string(name));
}

/// Bytes of headers, entries and tables: where a wrong one means something.
bool is_telling(StructureKind kind) {
  return kind == StructureKind::header || kind == StructureKind::skn_entry ||
         kind == StructureKind::array_header || kind == StructureKind::display_header ||
         kind == StructureKind::display_states || kind == StructureKind::layout ||
         kind == StructureKind::facial_record || kind == StructureKind::run_list ||
         kind == StructureKind::bone;
}

void flip(std::vector<std::uint8_t>& bytes, SplitMix64& random) {
  const auto block = parse_block(bytes);
  if (!block) return;
  const StructureMap map(*block);
  std::vector<const StructureRange*> ranges;
  for (const StructureRange& range : map.ranges())
    if (is_telling(range.kind)) ranges.push_back(&range);
  for (std::uint32_t i = 0, n = 1 + random.below(3); i < n && !ranges.empty(); ++i) {
    const StructureRange& range = *ranges[random.below(static_cast<std::uint32_t>(ranges.size()))];
    bytes[range.begin + random.below(range.end - range.begin)] = static_cast<std::uint8_t>(random.next());
  }
}

std::vector<std::uint8_t> damaged(const FuzzSource& source, SplitMix64& random) {
  auto block = parse_block(source.donor);
  if (!block) return source.donor;
  const auto table = corpus::mutators();
  const corpus::Mutator& mutator = table[random.below(static_cast<std::uint32_t>(table.size()))];
  const auto made = allowed(source, mutator.name) ? mutator.make(*block, random) : std::nullopt;
  if (made) {
    for (const corpus::BreakRecipe& row : *made)
      if (!corpus::apply_break(*block, row)) return source.donor;
  }
  return serialize(*block);
}

std::vector<std::uint8_t> bytes_of(const nlohmann::json& recipe) {
  const auto read = corpus::read_recipe(recipe.dump());
  if (!read) return {};
  return corpus::build_bytes(*read).value_or(std::vector<std::uint8_t>());
}

void judge_exactly(Bytes bytes, const harness::CheckOptions& options, harness::Judgement& out) {
  const auto block = parse_block(bytes);
  const auto vertices = block ? corpus::read_weights(*block) : tl::unexpected(Error{});
  if (!vertices) return;
  std::vector<std::uint32_t> slots;
  for (const corpus::SlotVertex& v : *vertices) slots.push_back(v.slot);
  const auto result =
      harness::compare_exact(harness::Subject(bytes, *block), exact_vertices(*vertices, slots), options);
  if (result && result->beyond != 0)
    out.disagreements.push_back(
        {"exact", "position",
         fmt::format(
             "{} components are off by more than their passes' rounding, the first in slot {}, frame {}",
             result->beyond, result->first_slot, result->first_frame)});
}

std::string with(std::string text, std::string_view mark, const std::string& value) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
    text.replace(at, mark.size(), value);
  return text;
}

/// What a patcher makes of a clean model must be clean; it may refuse a broken one.
void judge_command(const FuzzSource& source, const FuzzCase& c, std::size_t thread,
                   const harness::CheckOptions& options, harness::Judgement& out) {
  const std::string in = fmt::format("{}/in-{}.block", source.scratch, thread),
                    result = fmt::format("{}/out-{}.block", source.scratch, thread);
  std::remove(result.c_str());
  if (!write_file(in, c.bytes)) return;
  const int status = std::system(with(with(source.command, "{in}", in), "{out}", result).c_str());
  const auto bytes = read_file(result, max_block_bytes);
  if (!out.clean) return;
  if (!bytes || status != 0) {
    out.disagreements.push_back(
        {"command", "refused", fmt::format("the command ends with status {} on a clean model", status)});
    return;
  }
  const auto report = harness::check(*bytes, options);
  if (!report) out.disagreements.push_back({"command", "unreadable", to_string(report.error())});
  for (const harness::Finding& f : report ? report->findings : std::vector<harness::Finding>())
    if (f.severity >= harness::Severity::corrupt)
      out.disagreements.push_back({"command", std::string(f.rule), f.structure + ": " + f.cause});
}

bool has(const harness::Judgement& judgement, const harness::Disagreement& find) {
  return std::any_of(
      judgement.disagreements.begin(), judgement.disagreements.end(),
      [&](const harness::Disagreement& d) { return d.oracle == find.oracle && d.cause == find.cause; });
}

}  // namespace

FuzzCase make_case(const FuzzSource& source, std::uint64_t seed, std::uint64_t number) {
  SplitMix64 random(SplitMix64(seed).next() ^ SplitMix64(number).next());
  FuzzCase out{number, nullptr, {}};
  if (source.recipe) {
    out.recipe = corpus::mutate_recipe(*source.recipe, source.mutators, random);
    out.bytes = bytes_of(out.recipe);
  } else {
    out.bytes = damaged(source, random);
  }
  if (!out.bytes.empty() && allowed(source, flips) && random.below(4) == 0) {
    flip(out.bytes, random);
    out.recipe = nullptr;
  }
  return out;
}

Expected<harness::Judgement> judge_case(const FuzzSource& source, const FuzzCase& c, std::size_t thread,
                                        harness::Oracles& oracles, const harness::CheckOptions& options) {
  auto out = oracles.judge(c.bytes);
  if (!out) return out;
  if (out->clean) judge_exactly(c.bytes, options, *out);
  if (!source.command.empty()) judge_command(source, c, thread, options, *out);
  return out;
}

FuzzCase reduce(const FuzzSource& source, FuzzCase c, const harness::Disagreement& find, std::size_t tries,
                harness::Oracles& oracles, const harness::CheckOptions& options) {
  for (bool smaller = !c.recipe.is_null(); smaller && tries != 0;) {
    smaller = false;
    for (nlohmann::json& recipe : corpus::smaller_recipes(c.recipe)) {
      if (tries-- == 0) return c;
      FuzzCase candidate{c.number, std::move(recipe), {}};
      candidate.bytes = bytes_of(candidate.recipe);
      if (candidate.bytes.empty() || candidate.bytes.size() > c.bytes.size()) continue;
      const auto judgement = judge_case(source, candidate, 0, oracles, options);
      if (!judgement || !has(*judgement, find)) continue;
      smaller =
          candidate.bytes.size() < c.bytes.size() || candidate.recipe.dump().size() < c.recipe.dump().size();
      if (!smaller) continue;
      c = std::move(candidate);
      break;
    }
  }
  return c;
}

}  // namespace lockline::cli
