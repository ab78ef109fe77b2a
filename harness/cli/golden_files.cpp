#include "harness/cli/golden_files.hpp"

#include <algorithm>

#include "harness/cli/files.hpp"
#include "harness/cli/session.hpp"

namespace lockline::cli {
namespace {

namespace fs = std::filesystem;
using harness::GoldenFile;

bool is(const GoldenFile& wanted, Bytes bytes) {
  return bytes.size() == wanted.bytes && harness::hash_bytes(bytes) == wanted.hash;
}

template <class F>
void for_each_file(const harness::Golden& golden, F f) {
  if (golden.settings.palette) f(*golden.settings.palette);
  for (const harness::GoldenModel& model : golden.models) {
    f(model.file);
    for (const harness::GoldenSequence& sequence : model.sequences) {
      if (sequence.bank) f(*sequence.bank);
    }
  }
}

}  // namespace

GoldenFiles::GoldenFiles(fs::path folder, const harness::Golden& golden, std::vector<std::string> given)
    : folder_(std::move(folder)), given_(std::move(given)) {
  for_each_file(golden,
                [&](const GoldenFile& file) { folders_.push_back((folder_ / file.path).parent_path()); });
  std::sort(folders_.begin(), folders_.end());
  folders_.erase(std::unique(folders_.begin(), folders_.end()), folders_.end());
}

LocatedFile GoldenFiles::locate(const GoldenFile& wanted) {
  const std::string path = (folder_ / wanted.path).lexically_normal().string();
  auto bytes = read_file(path, max_input_bytes);
  if (bytes && is(wanted, *bytes)) return {Whereabouts::found, path, std::move(*bytes)};
  if (auto found = elsewhere(wanted)) return std::move(*found);
  if (bytes) return {Whereabouts::changed, path, std::move(*bytes)};
  return {Whereabouts::gone, path, {}};
}

std::optional<LocatedFile> GoldenFiles::elsewhere(const GoldenFile& wanted) {
  list_candidates();
  const auto [begin, end] = candidates_.equal_range(wanted.bytes);
  for (auto candidate = begin; candidate != end; ++candidate) {
    auto bytes = read_file(candidate->second, max_input_bytes);
    if (bytes && is(wanted, *bytes))
      return LocatedFile{Whereabouts::found, candidate->second, std::move(*bytes)};
  }
  return std::nullopt;
}

void GoldenFiles::list_candidates() {
  if (listed_) return;
  listed_ = true;
  for (const std::string& file : given_) add_candidate(file);
  for (const fs::path& folder : folders_) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      add_candidate(entry->path());
  }
}

void GoldenFiles::add_candidate(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error) candidates_.emplace(size, path.string());
}

}  // namespace lockline::cli
