#include "harness/cli/golden.hpp"

#include <CLI/CLI.hpp>
#include <thread>

#include "harness/cli/options.hpp"

namespace lockline::cli {
namespace {

void add_threads(CLI::App& command, std::size_t& threads) {
  threads = std::max(1U, std::thread::hardware_concurrency());
  command.add_option("--threads", threads, "Sequences run at the same time; the results do not depend on it")
      ->check(CLI::Range(1U, 256U))
      ->type_name("N")
      ->default_str("one per processor");
}

void add_record(CLI::App& parent, Session& session) {
  auto a = std::make_shared<RecordArguments>();
  CLI::App* command = parent.add_subcommand("record", "Run models and keep every byte of every frame");
  command->add_option("folder", a->folder, "Where the golden goes")->required()->type_name("DIR");
  command->add_option("files", a->files, "Model blocks")->required()->type_name("FILE");
  auto* animations =
      command
          ->add_option("--anim", a->animations,
                       "Animation banks for every model; without them, STEM.anm beside STEM.block")
          ->type_name("FILE");
  animations->expected(1)->take_all();
  command->add_option("--palette", a->palette, "Bone matrices for models without animations")
      ->type_name("FILE");
  command->add_option("--poses", a->random_poses, "Random poses after the rest pose, for models with neither")
      ->check(CLI::Range(0U, harness::max_pose_frames))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", a->seed, "What the random poses come from")
      ->type_name("N")
      ->capture_default_str();
  add_machine_options(*command, a->machine);
  add_threads(*command, a->threads);
  command->callback([a, &session] { record_golden(*a, session); });
}

void add_verify(CLI::App& parent, Session& session) {
  auto a = std::make_shared<VerifyArguments>();
  CLI::App* command = parent.add_subcommand(
      "verify", "Run them again: the first frame and byte that differ, and who wrote it");
  command->add_option("folder", a->folder, "A recorded golden")->required()->type_name("DIR");
  command
      ->add_option("files", a->files,
                   "Where else to look for models and banks; they are known by their content, not their name")
      ->type_name("FILE");
  add_core(*command, a->kernels);
  add_threads(*command, a->threads);
  command->callback([a, &session] { verify_golden(*a, session); });
}

}  // namespace

void add_golden(CLI::App& app, Session& session) {
  CLI::App* golden = app.add_subcommand("golden", "Record what models become, and compare later");
  golden->require_subcommand(1);
  add_record(*golden, session);
  add_verify(*golden, session);
  golden->footer(
      "Exit code of verify: 0 all equal, 1 differences, 2 a golden that cannot be used.\n\n"
      "Example:\n"
      "  lockline golden record before models/*.block\n"
      "  lockline golden verify before\n");
}

harness::PoseSource golden_poses(const harness::GoldenSettings& settings,
                                 const std::optional<Palette>& palette, const Bank& bank,
                                 std::uint32_t number) {
  harness::PoseSource source;
  source.random_poses = settings.random_poses;
  source.seed = settings.seed;
  if (bank) {
    source.animation = harness::AnimationSource{bank, number};
  } else {
    source.palette = palette;
  }
  return source;
}

std::vector<harness::ReusableMachine> golden_machines(const emu::MachineOptions& options,
                                                      std::size_t threads) {
  std::vector<harness::ReusableMachine> machines;
  for (std::size_t t = 0; t < threads; ++t) machines.emplace_back(options);
  return machines;
}

}  // namespace lockline::cli
