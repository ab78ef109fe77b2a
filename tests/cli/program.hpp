#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/files.hpp"

namespace lockline::tests {

/// A folder of its own, gone afterwards.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("lockline-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = -1;  ///< exit code; -1 when a signal ended the program
  std::string out, err;
};

inline std::string text_of(const std::string& path) {
  const auto bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Runs the built program. `arguments` go through the shell as they are; `prefix` comes before the program
/// ("NO_COLOR=1"), `redirect` replaces where its output goes.
inline Outcome lockline(const Folder& folder, const std::string& arguments, const std::string& prefix = "",
                        const std::string& redirect = "") {
  const std::string out = folder / "stdout";
  const std::string err = folder / "stderr";
  const std::string target = redirect.empty() ? ">'" + out + "'" : redirect;
  const std::string command =
      prefix + " '" LOCKLINE_PROGRAM "' " + arguments + " " + target + " 2>'" + err + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, redirect.empty() ? text_of(out) : "", text_of(err)};
}

/// Builds a bundled model and gives its path.
inline std::string build(const Folder& folder, const std::string& recipe) {
  const std::string path = folder / (recipe + ".block");
  lockline(folder, "corpus build " + recipe + " -o '" + path + "'");
  return path;
}

}  // namespace lockline::tests
