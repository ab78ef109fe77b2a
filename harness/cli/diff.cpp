#include "harness/diff.hpp"

#include <memory>

#include "harness/cli/model_source.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/pose_options.hpp"
#include "harness/cli/session.hpp"
#include "harness/diff_json.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string donor, patched, selection;
  PoseArguments poses;
  Format format = Format::text;
  harness::CheckOptions options;
};

/// A model file that was read.
struct Model {
  std::vector<std::uint8_t> bytes;
  Block block;

  harness::DiffInput input() const { return {bytes, block}; }
};

std::optional<Model> read_model(const std::string& file, Session& session) {
  auto bytes = session.take(file, read_model_bytes(file));
  if (!bytes) return std::nullopt;
  auto block = session.take(file, parse_block(*bytes));
  if (!block) return std::nullopt;
  return Model{std::move(*bytes), std::move(*block)};
}

std::uint32_t stored_positions(const Block& block) {
  const PositionArray* positions = block.skinned_positions();
  return positions == nullptr ? 0 : positions->header.count;
}

/// Writes what --select asks for.
void write_selection(const Arguments& a, const harness::DiffReport& report, const Block& patched,
                     Session& session) {
  const std::string text = harness::selection_text(report, stored_positions(patched));
  session.check(a.selection,
                write_text(a.selection, text, {a.donor, a.patched, a.poses.palette, a.poses.animation}));
}

void run(Arguments& a, Session& session) {
  if (!read_poses(a.poses, session)) return;
  a.options.poses = a.poses.source;
  const auto donor = read_model(a.donor, session);
  const auto patched = read_model(a.patched, session);
  if (!donor || !patched) return;
  const auto report = harness::diff(donor->input(), patched->input(), a.options);
  if (!report) {
    const auto& [in_patched, error] = report.error();
    return session.fail(in_patched ? a.patched : a.donor, to_string(error));
  }
  if (report->differs()) session.raise(exit_findings);
  const harness::DiffNames names{a.donor, a.patched};
  session.output.print(a.format == Format::json ? harness::diff_json(names, *report, a.options)
                                                : harness::diff_text(names, *report, shows_colour(stdout)));
  if (!a.selection.empty()) write_selection(a, *report, patched->block, session);
}

}  // namespace

void add_diff(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "diff", "Run a model and its patched copy side by side: which vertices moved, and why");
  command->add_option("donor", a->donor, "Unmodified model block")->required()->type_name("DONOR");
  command->add_option("patched", a->patched, "What was made of it")->required()->type_name("PATCHED");
  add_format(*command, a->format);
  command
      ->add_option("--select", a->selection,
                   "Write the vertices that moved: slot, vertex of the imported object, distance")
      ->type_name("FILE");
  add_pose_options(*command, a->poses);
  add_random_pose_options(*command, a->poses);
  add_machine_options(*command, a->options.machine);
  command->footer(
      "Vertices are matched by slot, or by bind pose and weights when the layout changed.\n"
      "moved: the position differs in a frame; turned: only the normal; rounded otherwise: the layout alone\n"
      "explains it, since every pass over a vertex truncates to whole steps.\n"
      "Exit code: 0 no difference, 1 differences or a fault, 2 unusable input.\n\n"
      "Example:\n  lockline diff luigi.block luigi-patched.block --select moved.tsv\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
