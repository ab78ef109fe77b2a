#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "emu/profile.hpp"
#include "formats/json_reader.hpp"
#include "harness/golden.hpp"
#include "harness/poses.hpp"

namespace lockline::harness {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "lockline-golden-1";
constexpr std::size_t hash_digits = 16;

std::string hex(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

Json file_json(const GoldenFile& file) {
  return {{"path", file.path}, {"xxh3", hex(file.hash)}, {"bytes", file.bytes}};
}

Json optional_file(const std::optional<GoldenFile>& file) {
  return file ? file_json(*file) : Json(nullptr);
}

Json optional_number(const std::optional<std::uint32_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json sequence_json(const GoldenSequence& sequence) {
  Json frames = Json::array();
  for (const FrameHash& hash : sequence.frames.frames)
    frames.push_back(fmt::format("{:016x} {:016x} {:016x}", hash.positions, hash.gpl, hash.rest));
  Json fault = nullptr;
  if (const auto& f = sequence.frames.fault) fault = {{"frame", f->frame}, {"line", f->line}};
  return {{"name", sequence.name},     {"bank", optional_file(sequence.bank)},
          {"number", sequence.number}, {"images", sequence.images},
          {"fault", std::move(fault)}, {"frames", std::move(frames)}};
}

Json model_json(const GoldenModel& model) {
  Json out = file_json(model.file);
  out["not_emulated"] = model.not_emulated.empty() ? Json(nullptr) : Json(model.not_emulated);
  out["sequences"] = Json::array();
  for (const GoldenSequence& sequence : model.sequences) out["sequences"].push_back(sequence_json(sequence));
  return out;
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value, 16);
  if (text.size() != hash_digits || error != std::errc() || last != end || text[0] == '-')
    return std::nullopt;
  return value;
}

std::optional<FrameHash> parse_frame(std::string_view text) {
  constexpr std::size_t step = hash_digits + 1;
  if (text.size() != 3 * step - 1 || text[hash_digits] != ' ' || text[step + hash_digits] != ' ')
    return std::nullopt;
  const auto positions = parse_hex(text.substr(0, hash_digits)),
             gpl = parse_hex(text.substr(step, hash_digits)), rest = parse_hex(text.substr(2 * step));
  if (!positions || !gpl || !rest) return std::nullopt;
  return FrameHash{*positions, *gpl, *rest};
}

void read_file_members(JsonReader& in, GoldenFile& file) {
  std::string hash;
  in.require("path", file.path);
  in.require("xxh3", hash);
  in.require("bytes", file.bytes);
  if (const auto value = parse_hex(hash)) {
    file.hash = *value;
  } else {
    in.fail(in.path() + "/xxh3", "must be 16 hexadecimal digits");
  }
}

void read_optional_file(JsonReader& in, const char* key, std::optional<GoldenFile>& file) {
  if (in.is_null(key)) return;
  in.read_object(key, [&](JsonReader& object) { read_file_members(object, file.emplace()); });
}

void read_frames(JsonReader& in, GoldenFrames& frames) {
  std::vector<std::string> rows;
  in.require("frames", rows);
  if (rows.empty()) in.fail(in.path() + "/frames", "must not be empty");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto hash = parse_frame(rows[i]);
    if (!hash) return in.fail(fmt::format("{}/frames/{}", in.path(), i), "must be three hashes of 16 digits");
    frames.frames.push_back(*hash);
  }
  if (in.is_null("fault")) return;
  in.read_object("fault", [&](JsonReader& object) {
    GoldenFault& fault = frames.fault.emplace();
    object.require("frame", fault.frame);
    object.require("line", fault.line);
    if (std::uint64_t{fault.frame} + 1 != frames.frames.size())
      object.fail(object.path() + "/frame", "must be the last frame");
  });
}

GoldenSequence read_sequence(JsonReader& in) {
  GoldenSequence sequence;
  in.require("name", sequence.name);
  read_optional_file(in, "bank", sequence.bank);
  in.require("number", sequence.number);
  in.require("images", sequence.images);
  const std::string& images = sequence.images;
  if (images.empty() || images.front() == '.' || images.find_first_of(std::string("/\\\0", 3)) != images.npos)
    in.fail(in.path() + "/images", "must be a plain file name");
  read_frames(in, sequence.frames);
  return sequence;
}

GoldenModel read_model(JsonReader& in) {
  GoldenModel model;
  read_file_members(in, model.file);
  if (!in.is_null("not_emulated")) in.require("not_emulated", model.not_emulated);
  in.read_list("sequences", model.sequences, read_sequence);
  if (model.sequences.empty() == model.not_emulated.empty())
    in.fail(in.path(), "must have either sequences or a reason why it was not emulated");
  return model;
}

GoldenSettings read_settings(JsonReader& in) {
  GoldenSettings settings;
  in.require("profile", settings.profile);
  in.require("memclr", settings.memclr);
  in.require("address", settings.address);
  if (!in.is_null("sk2_routine")) in.read("sk2_routine", settings.sk2_routine);
  if (!in.is_null("skacc_routine")) in.read("skacc_routine", settings.skacc_routine);
  in.require("random_poses", settings.random_poses);
  in.require("seed", settings.seed);
  read_optional_file(in, "palette", settings.palette);
  if (emu::find_profile(settings.profile) == nullptr) in.fail(in.path() + "/profile", "is no known profile");
  if (settings.memclr != "dcbz" && settings.memclr != "store")
    in.fail(in.path() + "/memclr", "must be dcbz or store");
  if (settings.random_poses > max_pose_frames)
    in.fail(in.path() + "/random_poses", fmt::format("must be at most {}", max_pose_frames));
  return settings;
}

Golden read_golden(JsonReader& in) {
  Golden golden;
  std::string found;
  in.require("schema", found);
  if (found != schema) in.fail("/schema", fmt::format("must be {}", schema));
  in.require("tool", golden.tool);
  in.read_object("settings", [&](JsonReader& settings) { golden.settings = read_settings(settings); });
  in.read_list("models", golden.models, read_model);
  return golden;
}

}  // namespace

std::string golden_json(const Golden& golden) {
  const GoldenSettings& s = golden.settings;
  Json out{{"schema", schema},
           {"tool", golden.tool},
           {"settings",
            {{"profile", s.profile},
             {"memclr", s.memclr},
             {"address", s.address},
             {"sk2_routine", optional_number(s.sk2_routine)},
             {"skacc_routine", optional_number(s.skacc_routine)},
             {"random_poses", s.random_poses},
             {"seed", s.seed},
             {"palette", optional_file(s.palette)}}},
           {"models", Json::array()}};
  for (const GoldenModel& model : golden.models) out["models"].push_back(model_json(model));
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<Golden> parse_golden(std::string_view text) {
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) return tl::unexpected(Error{ErrorCode::bad_value, 0, "golden", "is no JSON"});
  std::optional<Error> error;
  JsonReader in(document, "", error);
  for (const char* key : {"settings", "models"}) in.needs(key);
  Golden golden = read_golden(in);
  in.finish();
  if (error) return tl::unexpected(*error);
  return golden;
}

}  // namespace lockline::harness
