#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <set>

#include "harness/baseline.hpp"
#include "harness/check.hpp"
#include "harness/cli/model_source.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/pose_options.hpp"
#include "harness/cli/session.hpp"
#include "harness/page.hpp"
#include "harness/report_json.hpp"
#include "harness/report_junit.hpp"
#include "harness/report_sarif.hpp"
#include "harness/report_text.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::vector<std::string> files;
  PoseArguments poses;
  std::string format = "text";
  harness::Severity threshold = harness::Severity::corrupt;
  harness::CheckOptions options;
  std::string donor, pair;
  std::string baseline;
  bool update_baseline = false;
  std::string html;
};

/// A second model for the rules that need one; nothing for no name. False after a failure.
bool read_partner(const std::string& file, std::optional<Block>& block, Session& session) {
  if (file.empty()) return true;
  const auto bytes = session.take(file, read_model_bytes(file));
  if (bytes) block = session.take(file, parse_block(*bytes));
  return block.has_value();
}

harness::FileReport check_file(const std::string& file, const harness::Partners& partners,
                               harness::Checker& checker) {
  const auto report = [&](const std::vector<std::uint8_t>& bytes) {
    return checker.check(bytes, partners).map_error([](const Error& error) { return to_string(error); });
  };
  return {file, read_model_bytes(file).and_then(report)};
}

/// The known findings; none without --baseline. nullopt after a failure.
std::optional<harness::Baseline> read_baseline(const Arguments& a, Session& session) {
  if (a.baseline.empty() || (a.update_baseline && !std::filesystem::exists(a.baseline)))
    return harness::Baseline{};
  const auto bytes = session.take(a.baseline, read_file(a.baseline, max_input_bytes));
  if (!bytes) return std::nullopt;
  return session.take(a.baseline,
                      harness::parse_baseline({reinterpret_cast<const char*>(bytes->data()), bytes->size()}));
}

void write_baseline(const Arguments& a, harness::Baseline baseline,
                    const std::vector<harness::FileReport>& reports, Session& session) {
  for (const auto& [file, report] : reports) {
    if (report) remember(baseline, file, *report);
  }
  const std::string text = harness::baseline_json(baseline);
  session.check(a.baseline, write_text(a.baseline, text, a.files));
}

/// A model's page. The check runs again with a recorder: only pages need one.
std::string page_of(const Arguments& a, const harness::Partners& partners,
                    const harness::FileReport& report) {
  const auto bytes = read_model_bytes(report.file);
  harness::PageRecorder recorder;
  harness::CheckOptions options = a.options;
  options.watch = [&](const harness::Observation& o) { recorder.see(o); };
  if (bytes && report.report) harness::Checker(options).check(*bytes, partners);
  return harness::report_html(report, bytes ? Bytes(*bytes) : Bytes(), recorder, a.threshold);
}

/// FOLDER/NAME.html of every model; of the same names a later one gets its number.
void write_pages(const Arguments& a, const harness::Partners& partners,
                 const std::vector<harness::FileReport>& reports, Session& session) {
  std::error_code error;
  std::filesystem::create_directories(a.html, error);
  std::set<std::string> used;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    std::string name = reports[i].file.substr(reports[i].file.find_last_of("/\\") + 1);
    std::replace(name.begin(), name.end(), ':', '_');
    if (!used.insert(name).second) name += fmt::format("-{}", i + 1);
    const std::string path = a.html + "/" + name + ".html", page = page_of(a, partners, reports[i]);
    const bool written = session.check(path, write_text(path, page, a.files));
    if (written && a.format == "text") session.output.print(fmt::format("page: {}\n", path));
  }
}

/// Every file is checked and reported, whatever became of the others.
void run(Arguments& a, Session& session) {
  if (a.format == "html" && a.files.size() != 1)
    return session.fail("check",
                        "--format html is the page of one model; for several name a folder with --html");
  if (!read_poses(a.poses, session)) return;
  a.options.poses = a.poses.source;
  std::optional<Block> donor, pair;
  if (!read_partner(a.donor, donor, session) || !read_partner(a.pair, pair, session)) return;
  const harness::Partners partners{.donor = donor ? &*donor : nullptr, .pair = pair ? &*pair : nullptr};
  const auto baseline = read_baseline(a, session);
  if (!baseline) return;
  harness::Checker checker(a.options);
  std::vector<harness::FileReport> reports;
  for (const std::string& file : a.files) {
    auto& [name, report] = reports.emplace_back(check_file(file, partners, checker));
    if (!report) session.fail(name, report.error());
    if (report && !a.update_baseline) accept(*baseline, file, *report);
    if (report && !a.update_baseline && harness::fails(*report, a.threshold)) session.raise(exit_findings);
    if (a.format == "text") session.output.print(harness::report_text(reports.back(), shows_colour(stdout)));
  }
  if (a.update_baseline) write_baseline(a, *baseline, reports, session);
  if (!a.html.empty()) write_pages(a, partners, reports, session);
  if (a.format == "json") {
    session.output.print(harness::report_json(reports, a.options, a.threshold));
  } else if (a.format == "sarif") {
    session.output.print(harness::report_sarif(reports, a.options, LOCKLINE_VERSION,
                                               !a.baseline.empty() && !a.update_baseline));
  } else if (a.format == "html") {
    session.output.print(page_of(a, partners, reports.front()));
  } else if (a.format == "junit") {
    session.output.print(harness::report_junit(reports, a.threshold));
  } else if (reports.size() > 1) {
    session.output.print(harness::summary_text(reports, a.threshold));
  }
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("check", "Say what the game will do to a model, and why");
  command->add_option("files", a->files, "Model blocks")->required()->type_name("FILE");
  command
      ->add_option("--format", a->format,
                   "For people, for programs, for code scanning, for build servers, or a page")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit", "html"}))
      ->type_name("NAME")
      ->default_str("text");
  command
      ->add_option_function<std::string>(
          "--fail-on", [a](const std::string& s) { a->threshold = *harness::parse_severity(s); },
          "Least severity that makes the exit code 1")
      ->check(CLI::IsMember({"crash", "corrupt", "risk", "note"}))
      ->type_name("NAME")
      ->default_str("corrupt");
  command->add_option("--donor", a->donor, "The unmodified model, for the rules that compare with it")
      ->type_name("FILE");
  command->add_option("--pair", a->pair, "The model's other level of detail, for the rules that compare")
      ->type_name("FILE");
  command
      ->add_option("--html", a->html,
                   "Also write a page for each model into this folder: map, frames and mesh")
      ->type_name("FOLDER");
  auto* baseline = command
                       ->add_option("--baseline", a->baseline,
                                    "Findings listed here are known: they do not make the exit code 1")
                       ->type_name("FILE");
  command
      ->add_flag("--update-baseline", a->update_baseline,
                 "Write the findings into the baseline instead of judging them")
      ->needs(baseline);
  add_pose_options(*command, a->poses);
  add_random_pose_options(*command, a->poses);
  add_machine_options(*command, a->options.machine);
  command->footer(
      "crash: the game stops. corrupt: it draws or plays wrong. risk: it may, or only on the console.\n"
      "note: differs from every model of the game.\n\n"
      "Examples:\n"
      "  lockline check luigi.block\n"
      "  lockline check luigi.block --anim luigi.anm --sequence swing --face '*=blink; 1=talk'\n"
      "  lockline check --format json --fail-on risk models/*.block > report.json\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
