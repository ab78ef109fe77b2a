#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/golden.hpp"

namespace lockline::cli {

/// What became of a recorded file.
enum class Whereabouts {
  found,    ///< its content, at the recorded path or elsewhere
  changed,  ///< its path holds other content, and its own is nowhere
  gone,
};

struct LocatedFile {
  Whereabouts whereabouts = Whereabouts::gone;
  std::string path;                 ///< where `bytes` are from; the recorded path when gone
  std::vector<std::uint8_t> bytes;  ///< of the found or changed file
};

/// Looks for recorded files by content: first at their path, then among the files given and those lying in
/// the folders of any recorded file.
class GoldenFiles {
 public:
  GoldenFiles(std::filesystem::path folder, const harness::Golden& golden, std::vector<std::string> given);

  LocatedFile locate(const harness::GoldenFile& wanted);

 private:
  void list_candidates();
  void add_candidate(const std::filesystem::path& path);
  std::optional<LocatedFile> elsewhere(const harness::GoldenFile& wanted);

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> folders_;
  std::vector<std::string> given_;
  bool listed_ = false;
  std::multimap<std::uint64_t, std::string> candidates_;  ///< by size
};

}  // namespace lockline::cli
