#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "harness/frame_hash.hpp"

/// A golden: what the emulation made of a set of models once, to be compared with what it makes of them now.
/// On disk a folder with a manifest, manifest.json (harness/schema/golden-1.schema.json), and a file of
/// images for every model and sequence (golden_images.hpp).
namespace lockline::harness {

/// A file, known by its content: the path, relative to the golden's folder, only says where to look first.
struct GoldenFile {
  std::string path;
  std::uint64_t hash = 0;  ///< hash_bytes
  std::uint64_t bytes = 0;

  bool operator==(const GoldenFile&) const = default;
};

/// The fault that ended a sequence. Its frame is the last one recorded.
struct GoldenFault {
  std::uint32_t frame = 0;
  std::string line;  ///< "SK1[2] after 21844 vertices: Invalid read from ..."

  bool operator==(const GoldenFault&) const = default;
};

/// What a run of poses left.
struct GoldenFrames {
  std::vector<FrameHash> frames;
  std::optional<GoldenFault> fault;

  bool operator==(const GoldenFrames&) const = default;
};

struct GoldenSequence {
  std::string name;                ///< "swing"; "poses" or "palette" without a bank
  std::optional<GoldenFile> bank;  ///< the animation bank it is from
  std::uint32_t number = 0;        ///< which of the bank's
  std::string images;              ///< file name in the golden's folder, no path
  GoldenFrames frames;
};

struct GoldenModel {
  GoldenFile file;
  std::string not_emulated;  ///< why nothing was run; then there are no sequences
  std::vector<GoldenSequence> sequences;
};

/// The machine and the poses every model was run with.
struct GoldenSettings {
  std::string profile;
  std::string memclr;  ///< "dcbz" or "store"
  std::uint32_t address = 0;
  std::optional<std::uint32_t> sk2_routine, skacc_routine;  ///< of which faults print absolute addresses
  std::uint32_t random_poses = 0;
  std::uint64_t seed = 0;
  std::optional<GoldenFile> palette;
};

struct Golden {
  std::string tool;  ///< version of the program that recorded it
  GoldenSettings settings;
  std::vector<GoldenModel> models;
};

/// The manifest's text: "schema": "lockline-golden-1".
std::string golden_json(const Golden& golden);

/// Errors: bad_value with the JSON path of what is wrong. What it accepts
/// can be used without further checks: hashes are hashes, names of images are plain file names.
Expected<Golden> parse_golden(std::string_view json);

}  // namespace lockline::harness
