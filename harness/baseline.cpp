#include "harness/baseline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/json_reader.hpp"

namespace lockline::harness {
namespace {

constexpr const char* schema = "lockline-baseline-1";

/// The file's name without its folders, of either system.
std::string model_of(std::string_view file) {
  const auto slash = file.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? file : file.substr(slash + 1));
}

KnownFinding read_known(JsonReader& in) {
  KnownFinding known;
  std::string severity;
  in.require("rule", known.rule);
  in.require("structure", known.structure);
  in.require("severity", severity);
  if (const auto parsed = parse_severity(severity)) {
    known.severity = *parsed;
  } else {
    in.fail(in.path() + "/severity", "must be crash, corrupt, risk or note");
  }
  return known;
}

}  // namespace

Expected<Baseline> parse_baseline(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return tl::unexpected(Error{ErrorCode::bad_value, 0, "", "is not JSON"});
  std::optional<Error> error;
  Baseline baseline;
  JsonReader in(json, "", error);
  std::string version;
  in.require("schema", version);
  if (!error && version != schema) in.fail("/schema", std::string("must be \"") + schema + '"');
  in.needs("models");
  struct Model {
    std::string file;
    std::vector<KnownFinding> known;
  };
  std::vector<Model> models;
  in.read_list("models", models, [](JsonReader& element) {
    Model model;
    element.require("file", model.file);
    element.needs("known");
    element.read_list("known", model.known, read_known);
    return model;
  });
  in.finish();
  if (error) return tl::unexpected(*error);
  for (Model& model : models) {
    auto& known = baseline.models[model.file];
    known.insert(known.end(), model.known.begin(), model.known.end());
  }
  return baseline;
}

std::string baseline_json(const Baseline& baseline) {
  using Json = nlohmann::ordered_json;
  Json out{{"schema", schema}, {"models", Json::array()}};
  for (const auto& [file, known] : baseline.models) {
    Json list = Json::array();
    for (const KnownFinding& k : known)
      list.push_back({{"rule", k.rule}, {"structure", k.structure}, {"severity", name(k.severity)}});
    out["models"].push_back({{"file", file}, {"known", list}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void accept(const Baseline& baseline, std::string_view file, CheckReport& report) {
  const auto model = baseline.models.find(model_of(file));
  if (model == baseline.models.end()) return;
  std::map<std::pair<std::string_view, std::string_view>, Severity> known;
  for (const KnownFinding& k : model->second) {
    Severity& severity = known.try_emplace({k.rule, k.structure}, k.severity).first->second;
    severity = std::max(severity, k.severity);
  }
  std::set<std::pair<std::string_view, std::string_view>> found;
  for (Finding& f : report.findings) {
    const auto entry = known.find({f.rule, f.structure});
    if (entry == known.end()) continue;
    found.insert(entry->first);
    f.accepted = f.severity <= entry->second;
  }
  for (const auto& [key, severity] : known) {
    if (!found.contains(key))
      report.gone.push_back({std::string(key.first), std::string(key.second), severity});
  }
}

void remember(Baseline& baseline, std::string_view file, const CheckReport& report) {
  auto& known = baseline.models[model_of(file)];
  known.clear();
  for (const Finding& f : report.findings) {
    KnownFinding entry{std::string(f.rule), f.structure, f.severity};
    if (std::find(known.begin(), known.end(), entry) == known.end()) known.push_back(std::move(entry));
  }
}

}  // namespace lockline::harness
