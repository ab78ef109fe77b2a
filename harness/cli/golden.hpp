#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "emu/machine.hpp"
#include "formats/anm.hpp"
#include "harness/cli/session.hpp"
#include "harness/golden.hpp"
#include "harness/golden_run.hpp"

/// What `golden record` and `golden verify` share.
namespace lockline::cli {

struct RecordArguments {
  std::string folder, palette;
  std::vector<std::string> files, animations;
  std::uint32_t random_poses = harness::PoseSource{}.random_poses;
  std::uint64_t seed = harness::PoseSource{}.seed;
  emu::MachineOptions machine;
  std::size_t threads = 1;
};

struct VerifyArguments {
  std::string folder;
  std::vector<std::string> files;
  const emu::Kernels* kernels = &emu::simd_kernels();
  std::size_t threads = 1;
};

void record_golden(const RecordArguments& a, Session& session);
void verify_golden(const VerifyArguments& a, Session& session);

/// A bank, or nothing for poses without one.
using Bank = std::shared_ptr<const Anm>;

/// What a sequence is run with.
harness::PoseSource golden_poses(const harness::GoldenSettings& settings,
                                 const std::optional<Palette>& palette, const Bank& bank,
                                 std::uint32_t number);

/// A machine for each thread.
std::vector<harness::ReusableMachine> golden_machines(const emu::MachineOptions& options,
                                                      std::size_t threads);

inline std::filesystem::path manifest_path(const std::string& folder) {
  return std::filesystem::path(folder) / "manifest.json";
}

/// The largest file of images that is read.
inline constexpr std::size_t max_images_bytes = std::size_t{1} << 30;

}  // namespace lockline::cli
