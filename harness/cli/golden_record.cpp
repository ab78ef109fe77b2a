#include <fmt/format.h>

#include <map>

#include "harness/cli/golden.hpp"
#include "harness/cli/model_source.hpp"
#include "harness/cli/parallel.hpp"
#include "harness/cli/pose_options.hpp"
#include "harness/golden_images.hpp"

namespace lockline::cli {
namespace {

namespace fs = std::filesystem;
using harness::Golden;
using harness::GoldenFile;
using harness::GoldenFrames;
using harness::GoldenModel;
using harness::GoldenSequence;

struct Model {
  std::vector<std::uint8_t> bytes;
  Block block;
};

struct LoadedBank {
  GoldenFile file;
  Bank bank;
};

/// One sequence of one model to run; models with the same content share it.
struct Job {
  const Model* model = nullptr;
  harness::PoseSource poses;
  std::string images;
  Expected<GoldenFrames> frames{};
  Result<void> written{};
};

/// What is being recorded, from files to jobs to the manifest.
class Recording {
 public:
  Recording(const RecordArguments& a, Session& session) : a_(a), session_(session) {}

  void run() {
    std::error_code error;
    fs::create_directories(a_.folder, error);
    if (error) return session_.fail(a_.folder, error.message());
    if (!read_settings()) return;
    for (const std::string& file : a_.files) read_model(file);
    if (session_.exit_code() != exit_clean) return;
    run_jobs();
    fill_in();
    if (session_.exit_code() != exit_clean) return;
    write_manifest();
  }

 private:
  /// The path as seen from the golden's folder, so that both can move together.
  GoldenFile identify(const std::string& path, Bytes bytes) const {
    std::error_code error;
    const fs::path relative = fs::proximate(path, a_.folder, error);
    return {(error ? fs::path(path) : relative).generic_string(), harness::hash_bytes(bytes), bytes.size()};
  }

  bool read_settings() {
    golden_.tool = LOCKLINE_VERSION;
    golden_.settings = {.profile = std::string(a_.machine.profile->name),
                        .memclr = a_.machine.memclr == emu::MemClr::dcbz ? "dcbz" : "store",
                        .address = a_.machine.block_address,
                        .sk2_routine = a_.machine.routines.sk2,
                        .skacc_routine = a_.machine.routines.skacc,
                        .random_poses = a_.random_poses,
                        .seed = a_.seed,
                        .palette = {}};
    if (!a_.palette.empty()) {
      const auto bytes = session_.take(a_.palette, read_file(a_.palette, max_input_bytes));
      if (bytes) palette_ = session_.take(a_.palette, parse_palette(*bytes));
      if (palette_) golden_.settings.palette = identify(a_.palette, *bytes);
    }
    for (const std::string& file : a_.animations) {
      if (auto bank = read_bank(file)) banks_.push_back(std::move(*bank));
    }
    return session_.exit_code() == exit_clean;
  }

  std::optional<LoadedBank> read_bank(const std::string& file) {
    const auto bytes = session_.take(file, read_file(file, max_anm_bytes));
    if (!bytes) return std::nullopt;
    auto bank = session_.take(file, parse_sound_anm(*bytes));
    if (!bank) return std::nullopt;
    return LoadedBank{identify(file, *bytes), std::make_shared<const Anm>(std::move(*bank))};
  }

  /// The banks given for all models, or the one beside this one.
  std::vector<LoadedBank> banks_of(const std::string& file) {
    if (!a_.animations.empty()) return banks_;
    const std::string beside = fs::path(file).replace_extension(".anm").string();
    std::error_code error;
    if (!fs::exists(beside, error)) return {};
    auto bank = read_bank(beside);
    if (!bank) return {};
    return {std::move(*bank)};
  }

  void read_model(const std::string& file) {
    auto bytes = session_.take(file, read_model_bytes(file));
    if (!bytes) return;
    auto block = session_.take(file, parse_block(*bytes));
    if (!block) return;
    GoldenModel& recorded = golden_.models.emplace_back();
    recorded.file = identify(file, *bytes);
    const Model& model = *models_.emplace_back(std::make_unique<Model>(std::move(*bytes), std::move(*block)));
    for (const LoadedBank& bank : banks_of(file)) {
      for (std::uint32_t n = 0; n < bank.bank->sequences.size(); ++n) {
        const auto& name = bank.bank->sequences[n].name;
        add(recorded, model, {name ? name->text : "", bank.file, n, "", {}}, bank.bank);
      }
    }
    if (recorded.sequences.empty()) add(recorded, model, {palette_ ? "palette" : "poses", {}, 0, "", {}}, {});
  }

  void add(GoldenModel& recorded, const Model& model, GoldenSequence sequence, const Bank& bank) {
    const std::string what =
        sequence.bank ? fmt::format("{:016x}-{}", sequence.bank->hash, sequence.number) : sequence.name;
    sequence.images = fmt::format("{:016x}-{}.images", recorded.file.hash, what);
    if (jobs_.try_emplace(sequence.images, order_.size()).second) {
      order_.push_back(
          {&model, golden_poses(golden_.settings, palette_, bank, sequence.number), sequence.images, {}, {}});
    }
    recorded.sequences.push_back(std::move(sequence));
  }

  void run_jobs() {
    emu::MachineOptions options = a_.machine;
    options.trace = false;
    auto machines = golden_machines(options, a_.threads);
    parallel_for(a_.threads, order_.size(), [&](std::size_t thread, std::size_t i) {
      Job& job = order_[i];
      harness::GoldenImagesWriter images(job.model->bytes);
      job.frames = harness::run_golden(machines[thread], job.model->bytes, job.model->block, job.poses,
                                       [&](std::uint32_t, const emu::Machine& machine) {
                                         images.add(machine.block());
                                         return true;
                                       });
      if (job.frames) job.written = write_file((fs::path(a_.folder) / job.images).string(), images.finish());
    });
  }

  /// The jobs' results into the manifest. A model that no machine takes has the reason instead.
  void fill_in() {
    for (const Job& job : order_) session_.check((fs::path(a_.folder) / job.images).string(), job.written);
    for (GoldenModel& model : golden_.models) {
      for (GoldenSequence& sequence : model.sequences) {
        const Job& job = order_[jobs_.at(sequence.images)];
        if (job.frames) {
          sequence.frames = *job.frames;
          frames_ += sequence.frames.frames.size();
        } else {
          model.not_emulated = to_string(job.frames.error());
        }
      }
      if (!model.not_emulated.empty()) model.sequences.clear();
    }
  }

  void write_manifest() {
    const std::string text = harness::golden_json(golden_);
    const std::string path = manifest_path(a_.folder).string();
    if (!session_.check(path, write_text(path, text))) return;
    session_.output.print(fmt::format("{} models, {} frames recorded\n", golden_.models.size(), frames_));
  }

  const RecordArguments& a_;
  Session& session_;
  Golden golden_;
  std::optional<Palette> palette_;
  std::vector<LoadedBank> banks_;
  std::vector<std::unique_ptr<Model>> models_;
  std::map<std::string, std::size_t> jobs_;  ///< by name of images
  std::vector<Job> order_;
  std::size_t frames_ = 0;
};

}  // namespace

void record_golden(const RecordArguments& a, Session& session) {
  Recording(a, session).run();
}

}  // namespace lockline::cli
