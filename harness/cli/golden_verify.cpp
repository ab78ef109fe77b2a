#include <fmt/format.h>

#include <map>

#include "harness/cli/golden.hpp"
#include "harness/cli/golden_files.hpp"
#include "harness/cli/parallel.hpp"
#include "harness/cli/pose_options.hpp"
#include "harness/golden_compare.hpp"
#include "harness/golden_images.hpp"
#include "harness/text.hpp"

namespace lockline::cli {
namespace {

namespace fs = std::filesystem;
using harness::FrameImage;
using harness::Golden;
using harness::GoldenFile;
using harness::GoldenFrames;
using harness::GoldenImages;
using harness::GoldenModel;
using harness::GoldenSequence;
using harness::printable;

/// A recorded file as it is now, parsed.
template <class Content>
struct Input {
  LocatedFile file;
  std::optional<Content> content;
  std::string error;  ///< why there is no content
};

template <class Content, class Parse>
Input<Content> parse_input(LocatedFile file, Parse parse) {
  Input<Content> input{std::move(file), {}, {}};
  if (input.file.whereabouts == Whereabouts::gone) {
    input.error = "is gone, and no file looked at has its content";
  } else if (auto content = parse(input.file.bytes)) {
    input.content = std::move(*content);
  } else {
    input.error = to_string(content.error());
  }
  return input;
}

/// What one sequence gave.
struct Outcome {
  std::vector<std::string> differences;
  bool damaged = false;  ///< the golden itself
};

struct Job {
  const GoldenModel* model = nullptr;
  const GoldenSequence* sequence = nullptr;
  const Input<Block>* input = nullptr;
  const Input<Bank>* bank = nullptr;  ///< null without one
  Outcome outcome{};

  /// Not the files that were recorded: differences are no wonder.
  bool changed() const {
    return input->file.whereabouts == Whereabouts::changed ||
           (bank != nullptr && bank->file.whereabouts == Whereabouts::changed);
  }
};

class Verification {
 public:
  Verification(const VerifyArguments& a, Session& session) : a_(a), session_(session) {}

  void run() {
    const std::string path = manifest_path(a_.folder).string();
    const auto bytes = session_.take(path, read_file(path, max_input_bytes));
    if (!bytes) return;
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    auto golden = session_.take(path, harness::parse_golden(text));
    if (!golden) return;
    golden_ = std::move(*golden);
    if (!read_inputs()) return;
    run_jobs();
    report();
  }

 private:
  bool read_inputs() {
    GoldenFiles files(a_.folder, golden_, a_.files);
    if (const auto& wanted = golden_.settings.palette; wanted && !read_palette(files.locate(*wanted)))
      return false;
    std::vector<LocatedFile> models;
    std::map<std::string, LocatedFile> banks;
    for (const GoldenModel& model : golden_.models) {
      models.push_back(files.locate(model.file));
      for (const GoldenSequence& sequence : model.sequences) {
        if (sequence.bank && !banks.contains(key(*sequence.bank)))
          banks.emplace(key(*sequence.bank), files.locate(*sequence.bank));
      }
    }
    parse_inputs(models, banks);
    return true;
  }

  static std::string key(const GoldenFile& file) { return fmt::format("{:016x} {}", file.hash, file.path); }

  bool read_palette(const LocatedFile& file) {
    if (file.whereabouts != Whereabouts::found) {
      session_.fail(file.path, "the palette has changed or is gone, so nothing can be compared");
      return false;
    }
    palette_ = session_.take(file.path, parse_palette(file.bytes));
    return palette_.has_value();
  }

  void parse_inputs(std::vector<LocatedFile>& models, std::map<std::string, LocatedFile>& banks) {
    inputs_.resize(models.size());
    std::vector<std::pair<LocatedFile*, Input<Bank>*>> bank_work;
    for (auto& [id, file] : banks) bank_work.emplace_back(&file, &banks_[id]);
    const auto bank = [](Bytes bytes) {
      return parse_sound_anm(bytes).map(
          [](Anm anm) { return Bank(std::make_shared<const Anm>(std::move(anm))); });
    };
    parallel_for(a_.threads, models.size() + bank_work.size(), [&](std::size_t, std::size_t i) {
      if (i < models.size()) {
        inputs_[i] = parse_input<Block>(std::move(models[i]), parse_block);
      } else {
        auto& [file, input] = bank_work[i - models.size()];
        *input = parse_input<Bank>(std::move(*file), bank);
      }
    });
  }

  emu::MachineOptions options() const {
    emu::MachineOptions options;
    options.profile = emu::find_profile(golden_.settings.profile);
    options.memclr = golden_.settings.memclr == "store" ? emu::MemClr::store : emu::MemClr::dcbz;
    options.block_address = golden_.settings.address;
    options.routines.sk2 = golden_.settings.sk2_routine;
    options.routines.skacc = golden_.settings.skacc_routine;
    options.kernels = a_.kernels;
    return options;
  }

  void run_jobs() {
    for (std::size_t m = 0; m < golden_.models.size(); ++m) {
      const GoldenModel& model = golden_.models[m];
      for (const GoldenSequence& sequence : model.sequences) {
        const Input<Bank>* bank = sequence.bank ? &banks_.at(key(*sequence.bank)) : nullptr;
        jobs_.push_back({&model, &sequence, &inputs_[m], bank});
      }
    }
    emu::MachineOptions quick = options();
    quick.trace = false;
    auto machines = golden_machines(quick, a_.threads);
    parallel_for(a_.threads, jobs_.size(),
                 [&](std::size_t thread, std::size_t i) { compare(jobs_[i], machines[thread]); });
  }

  harness::PoseSource poses(const Job& job) const {
    return golden_poses(golden_.settings, palette_, job.bank != nullptr ? *job.bank->content : nullptr,
                        job.sequence->number);
  }

  void compare(Job& job, harness::ReusableMachine& machine) const {
    if (!job.input->content) return;
    if (job.bank != nullptr && !job.bank->content) {
      job.outcome.differences.push_back(
          fmt::format("the animation bank {} {}", printable(job.bank->file.path), job.bank->error));
      return;
    }
    const auto now = harness::run_golden(machine, job.input->file.bytes, *job.input->content, poses(job));
    if (!now) {
      job.outcome.differences.push_back("cannot be run any more: " + to_string(now.error()));
    } else if (*now != job.sequence->frames) {
      explain(job, *now);
    }
  }

  /// Why a sequence's hashes differ: the byte, from the recorded image and from the frame run again.
  void explain(Job& job, const GoldenFrames& now) const {
    const GoldenFrames& recorded = job.sequence->frames;
    auto mismatch = job.changed() ? harness::first_mismatch(recorded, now, true) : std::nullopt;
    if (!mismatch) mismatch = harness::first_mismatch(recorded, now);
    if (mismatch) {
      job.outcome.differences.push_back(fmt::format("frame {} ({}): {}", mismatch->frame,
                                                    harness::parts_text(*mismatch),
                                                    byte_text(job, mismatch->frame)));
    }
    for (std::string& text : harness::ending_differences(recorded, now))
      job.outcome.differences.push_back(std::move(text));
  }

  std::string byte_text(Job& job, std::uint32_t frame) const {
    const auto unreadable = [&](const std::string& why) {
      job.outcome.damaged = true;
      return "the recorded image cannot be read: " + why;
    };
    const auto file = read_file((fs::path(a_.folder) / job.sequence->images).string(), max_images_bytes);
    if (!file) return unreadable(file.error());
    const auto images = GoldenImages::open(*file);
    if (!images) return unreadable(to_string(images.error()));
    if (images->frames() != job.sequence->frames.frames.size())
      return unreadable(fmt::format("the file has {} frames", images->frames()));
    const auto image = images->frame(frame);
    if (!image) return unreadable(to_string(image.error()));
    if (const auto block = parse_block(images->block());
        !block || harness::FrameHasher(*block)(*image) != job.sequence->frames.frames[frame]) {
      job.outcome.damaged = true;
      return "the manifest's hash and the recorded image disagree: one of them is damaged";
    }
    return run_again(job, frame, {images->block(), *image});
  }

  /// Runs up to the frame with the trace on.
  std::string run_again(const Job& job, std::uint32_t frame, const FrameImage& recorded) const {
    harness::ReusableMachine machine(options());
    const Bytes model = job.input->file.bytes;
    std::string text = "no byte differs";
    const auto look = [&](std::uint32_t f, const emu::Machine& m) {
      if (f != frame) return true;
      if (const auto difference = harness::first_difference(recorded, {model, m.block()}))
        text = difference->text + "; " + harness::author_text(m, *difference);
      return false;
    };
    const auto run = harness::run_golden(machine, model, *job.input->content, poses(job), look);
    return run ? text : to_string(run.error());
  }

  std::string model_problem(const GoldenModel& model, const Input<Block>& input) const {
    if (input.file.whereabouts == Whereabouts::gone) return input.error;
    if (!input.content) return "the model changed, and is none now: " + input.error;
    if (model.not_emulated.empty()) return "";
    harness::ReusableMachine machine(options());
    const auto loaded = machine.load(input.file.bytes, *input.content);
    const std::string now = loaded ? "" : to_string(loaded.error());
    if (now == model.not_emulated) return "";
    return fmt::format("was not emulated ({}); now: {}", printable(model.not_emulated),
                       now.empty() ? "it can be" : now);
  }

  std::string verdict(const GoldenModel& model, const Input<Block>& input, bool bank_changed,
                      bool damaged) const {
    if (input.file.whereabouts == Whereabouts::changed)
      return "the model changed" + change_text(model, input);
    if (bank_changed) return "its animation bank is not the recorded one";
    if (damaged) return "the golden is damaged";
    return fmt::format("the emulation changed (recorded by lockline {}, this is {})", printable(golden_.tool),
                       LOCKLINE_VERSION);
  }

  /// Where the file differs from the recorded one, which the images hold.
  std::string change_text(const GoldenModel& model, const Input<Block>& input) const {
    if (model.sequences.empty()) return "";
    const auto file = read_file((fs::path(a_.folder) / model.sequences[0].images).string(), max_images_bytes);
    if (!file) return "";
    const auto images = GoldenImages::open(*file);
    if (!images) return "";
    const auto difference =
        harness::first_difference({images->block(), images->block()}, {input.file.bytes, input.file.bytes});
    return difference ? "; in the file " + difference->text : "";
  }

  void report() {
    std::size_t job = 0, frames = 0, differ = 0;
    for (std::size_t m = 0; m < golden_.models.size(); ++m) {
      const std::size_t first = job;
      for (; job < jobs_.size() && jobs_[job].model == &golden_.models[m]; ++job)
        frames += jobs_[job].sequence->frames.frames.size();
      if (!report_model(golden_.models[m], inputs_[m], std::span(jobs_).subspan(first, job - first)))
        ++differ;
    }
    session_.output.print(
        differ == 0 ? fmt::format("{} models, {} frames: all equal\n", golden_.models.size(), frames)
                    : fmt::format("{} of {} models differ\n", differ, golden_.models.size()));
  }

  /// False when something is not as recorded.
  bool report_model(const GoldenModel& model, const Input<Block>& input, std::span<const Job> jobs) {
    const std::string name = printable(input.file.path);
    if (const std::string problem = model_problem(model, input); !problem.empty()) {
      session_.output.print(fmt::format("{}: {}\n", name, problem));
      session_.raise(exit_findings);
      return false;
    }
    std::string lines;
    bool bank_changed = false, damaged = true;
    for (const Job& job : jobs) {
      if (job.outcome.differences.empty()) continue;
      bank_changed |= job.bank != nullptr && job.bank->file.whereabouts != Whereabouts::found;
      damaged &= job.outcome.damaged;
      if (job.outcome.damaged) session_.raise(exit_unusable);
      for (const std::string& difference : job.outcome.differences)
        lines += fmt::format("  {}: {}\n", printable(job.sequence->name), difference);
    }
    const bool changed = input.file.whereabouts == Whereabouts::changed;
    if (lines.empty() && !changed) return true;
    session_.output.print(
        fmt::format("{}: {}\n{}", name, verdict(model, input, bank_changed, damaged), lines));
    session_.raise(exit_findings);
    return false;
  }

  const VerifyArguments& a_;
  Session& session_;
  Golden golden_;
  std::optional<Palette> palette_;
  std::vector<Input<Block>> inputs_;          ///< one per model
  std::map<std::string, Input<Bank>> banks_;  ///< by key()
  std::vector<Job> jobs_;
};

}  // namespace

void verify_golden(const VerifyArguments& a, Session& session) {
  Verification(a, session).run();
}

}  // namespace lockline::cli
