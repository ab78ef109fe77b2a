#include "harness/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/finding_json.hpp"
#include "harness/inspect.hpp"
#include "harness/line_map.hpp"
#include "harness/mesh.hpp"
#include "harness/page_files.hpp"
#include "harness/text.hpp"

namespace lockline::harness {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_writes = 64, max_map_bytes = 1U << 20;

std::vector<std::uint32_t> wrong_slots(const Observation& o) {
  std::vector<std::uint32_t> out;
  for (const WrongVertices& w : o.wrong) {
    if (w.step == emu::Step::skacc) {
      const auto at = destinations(o.subject.block.skn->acc[w.entry]);
      for (const std::uint32_t v : w.vertices)
        out.push_back(static_cast<std::uint32_t>(at[v] / vertex_stride));
      continue;
    }
    const std::size_t index = w.step == emu::Step::sk1 ? w.entry : o.subject.block.skn->sk1.size() + w.entry;
    const auto first = static_cast<std::uint32_t>(o.subject.entries[index].first_vertex() / vertex_stride);
    for (const std::uint32_t v : w.vertices) out.push_back(first + v);
  }
  return out;
}

std::vector<PageFrame::Write> writes_of(const Observation& o) {
  std::vector<PageFrame::Write> out;
  for (const Stray& s : o.strays) {
    if (out.size() == max_writes) break;
    out.push_back({emu::to_string(s.author), o.subject.map.describe(s.begin, s.end), s.begin, s.end});
  }
  return out;
}

std::vector<std::int16_t> positions_of(Bytes image, std::uint32_t at,
                                       const std::vector<std::uint32_t>& slots) {
  std::vector<std::int16_t> out;
  for (const std::uint32_t slot : slots) {
    const std::uint64_t vertex = at + std::uint64_t{slot} * vertex_stride;
    for (std::size_t c = 0; c < 3; ++c)
      out.push_back(contains(image.size(), vertex, vertex_stride)
                        ? load_be<std::int16_t>(image.data() + vertex + 2 * c)
                        : std::int16_t{0});
  }
  return out;
}

/// The drawn mesh by slots: triangles of the skinned submesh, or of all submeshes of a model without a skin.
struct PageMesh {
  std::vector<std::uint32_t> slots;  ///< of each vertex; skinned models
  std::vector<float> rest;           ///< x y z of each vertex
  std::vector<std::uint32_t> triangles;
  std::string missing;  ///< why there is none
};

PageMesh mesh_of(const Block& block, Bytes bytes) {
  PageMesh out;
  const auto model = drawn_model(block);
  if (!model) {
    out.missing = to_string(model.error());
    return out;
  }
  for (const DrawnMesh& mesh : model->meshes) {
    if (block.skn && mesh.submesh != 0) continue;
    const auto base = static_cast<std::uint32_t>(out.rest.size() / 3);
    const Shape shape = shape_of(mesh, block, bytes);
    out.rest.insert(out.rest.end(), shape.positions.begin(), shape.positions.end());
    for (const DrawnVertex& v : mesh.vertices)
      if (block.skn)
        out.slots.push_back(static_cast<std::uint32_t>(v[static_cast<std::size_t>(Attribute::position)]));
    for (const std::uint32_t t : mesh.triangles) out.triangles.push_back(base + t);
  }
  if (block.skn) out.rest.clear();  // its vertices are those of the slots
  if (out.triangles.empty()) out.missing = "no primitive list draws a triangle";
  return out;
}

Json map_json(const Subject& subject) {
  Json runs = Json::array();
  for (const LineRun& run : line_map(subject.block, subject.map, subject.entries, subject.slots)) {
    if (run.end > max_map_bytes) break;
    runs.push_back({{"begin", run.begin},
                    {"end", run.end},
                    {"owners", run.owners},
                    {"structures", run.structures},
                    {"stored", run.stored},
                    {"overlap", run.overlap}});
  }
  return runs;
}

/// Which slots an entry writes, for the links between findings, map and mesh.
Json entries_json(const Subject& subject) {
  Json out = Json::array();
  for (const DirectEntry& e : subject.entries)
    out.push_back({{"name", e.name()},
                   {"slot", e.first_vertex() / vertex_stride},
                   {"count", e.count},
                   {"begin", e.destination},
                   {"end", e.write_back_end()}});
  if (!subject.block.skn) return out;
  for (std::size_t i = 0; i < subject.block.skn->acc.size(); ++i) {
    Json slots = Json::array();
    for (const std::uint64_t at : destinations(subject.block.skn->acc[i]))
      slots.push_back(at / vertex_stride);
    out.push_back({{"name", fmt::format("SKAcc[{}]", i)}, {"slots", slots}});
  }
  return out;
}

Json frames_json(const std::vector<PageFrame>& frames) {
  Json out = Json::array();
  for (const PageFrame& f : frames) {
    Json writes = Json::array();
    for (const PageFrame::Write& w : f.overwritten)
      writes.push_back(
          {{"author", w.author}, {"structure", w.structure}, {"begin", w.begin}, {"end", w.end}});
    out.push_back({{"pose", f.pose},
                   {"stopped", f.stopped},
                   {"overwritten", writes},
                   {"wrong", f.wrong},
                   {"positions", f.positions}});
  }
  return out;
}

Json mesh_json(const PageMesh& mesh, const Block& block) {
  const PositionArray* positions = block.skinned_positions();
  return {{"slots", mesh.slots},
          {"rest", mesh.rest},
          {"triangles", mesh.triangles},
          {"missing", mesh.missing},
          {"skinned", block.skn.has_value()},
          {"shift", positions == nullptr ? 0 : positions->header.quantization.shift()}};
}

std::string verdict_of(const CheckReport& report) {
  std::string out;
  for (const Severity severity : severities)
    if (const auto n = count(report.findings, severity); n != 0)
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, name(severity));
  return out.empty() ? "clean" : out;
}

/// '<' never appears, so that no name in a model can end the script element that holds the data.
std::string embedded(const Json& data) {
  std::string out;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace))
    out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

}  // namespace

void PageRecorder::see(const Observation& o) {
  if (frames_.empty() && o.subject.block.skn) drawn_ = drawn_slots(o.subject.block);
  if (frames_.size() == page_frames || (frames_.size() + 1) * drawn_.size() * 6 > page_position_bytes) {
    ++left_out_;
    return;
  }
  PageFrame frame{o.pose.name, o.result.stopped, writes_of(o), wrong_slots(o), {}};
  if (const PositionArray* positions = o.subject.block.skinned_positions())
    frame.positions = positions_of(o.machine.block(), positions->data_at, drawn_);
  frames_.push_back(std::move(frame));
}

std::string report_html(const FileReport& file, Bytes bytes, const PageRecorder& recorder,
                        Severity threshold) {
  Json data{{"file", printable(file.file)},
            {"threshold", name(threshold)},
            {"frames", frames_json(recorder.frames())},
            {"left_out", recorder.left_out()}};
  const auto block = parse_block(bytes);
  if (!file.report || !block) {
    data["error"] = file.report ? to_string(block.error()) : file.report.error();
  } else {
    const Subject subject(bytes, *block);
    data["verdict"] = verdict_of(*file.report);
    data["failed"] = fails(*file.report, threshold);
    data["not_emulated"] = file.report->not_emulated;
    data["poses"] = file.report->poses;
    data["bytes"] = bytes.size();
    data["positions_at"] = block->skinned_positions() == nullptr ? 0 : block->skinned_positions()->data_at;
    data["findings"] = Json::array();
    for (const Finding& f : file.report->findings) data["findings"].push_back(finding_json(f));
    data["map"] = map_json(subject);
    data["entries"] = entries_json(subject);
    const auto drawn = block->skn ? drawn_slots(*block) : std::vector<std::uint32_t>();
    data["drawn"] = drawn;
    data["bind"] = positions_of(
        bytes, block->skinned_positions() == nullptr ? 0 : block->skinned_positions()->data_at, drawn);
    data["mesh"] = mesh_json(mesh_of(*block, bytes), *block);
  }
  std::string out(page_html);
  const auto fill = [&](std::string_view mark, std::string_view text) {
    if (const auto at = out.find(mark); at != std::string::npos) out.replace(at, mark.size(), text);
  };
  fill("/*STYLE*/", page_css);
  fill("/*SCRIPT*/", page_js);
  fill("/*DATA*/", embedded(data));
  return out;
}

}  // namespace lockline::harness
