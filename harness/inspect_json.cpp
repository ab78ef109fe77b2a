#include "harness/inspect_json.hpp"

#include <nlohmann/json.hpp>

#include "harness/inspect_anm.hpp"

namespace lockline::harness {
namespace {

using Json = nlohmann::ordered_json;

template <class Range, class F>
Json list(const Range& range, F to_json) {
  Json out = Json::array();
  for (const auto& element : range) out.push_back(to_json(element));
  return out;
}

Json text_or_null(const std::optional<CString>& text) {
  return text ? Json(text->text) : Json(nullptr);
}

template <class Array>
Json array_json(const Array& array) {
  const ArrayHeader& h = array.header;
  return {{"at", h.at},
          {"data_at", array.data_at},
          {"count", h.count},
          {"components", h.components},
          {"quantization", h.quantization.raw}};
}

template <class Array>
Json optional_array(const std::optional<Array>& array) {
  return array ? array_json(*array) : Json(nullptr);
}

Json list_json(const DisplayState& state) {
  if (!state.list) return nullptr;
  std::size_t vertices = 0;
  for (const Primitive& p : state.list->primitives) vertices += p.count;
  return {{"at", state.list->at},
          {"bytes", state.list_size},
          {"primitives", state.list->primitives.size()},
          {"vertices", vertices},
          {"indices_per_vertex", state.list->attributes.size()},
          {"terminated", state.list->terminated}};
}

Json display_json(const DisplayHeader& display) {
  return {{"at", display.at}, {"states", list(display.states, [](const DisplayState& state) {
                                 return Json{{"at", state.at},
                                             {"type", state.type},
                                             {"setting", state.setting},
                                             {"list", list_json(state)}};
                               })}};
}

Json submesh_json(const Submesh& submesh) {
  Json out{{"name", text_or_null(submesh.name)}, {"layout", nullptr}};
  if (!submesh.layout) return out;
  const Layout& l = *submesh.layout;
  out["layout"] = {{"at", l.at},
                   {"positions", optional_array(l.position)},
                   {"colours", optional_array(l.colour)},
                   {"uvs", list(l.uvs, array_json<UvArray>)},
                   {"normals", optional_array(l.lighting)},
                   {"display", l.display ? display_json(*l.display) : Json(nullptr)}};
  return out;
}

Json bones_json(const Act& act) {
  return {{"count", act.bone_count},
          {"controls", act.controls.size()},
          {"actor_id", act.actor_id},
          {"geo_name", text_or_null(act.geo_name)},
          {"bones", list(act.bones, [](const Bone& bone) {
             const bool rigid = bone.geo_id != Bone::no_submesh;
             return Json{{"id", bone.id}, {"draws_submesh", rigid ? Json(bone.geo_id) : Json(nullptr)}};
           })}};
}

Json optional_number(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json entry_json(const EntryRow& row) {
  return {{"name", row.name},
          {"at", row.at},
          {"bones", row.bones},
          {"count", row.count},
          {"vertex_offset", row.vertex_offset},
          {"destination", row.destination},
          {"first_slot", optional_number(row.first_slot)},
          {"last_slot", optional_number(row.last_slot)},
          {"source", row.source},
          {"bytes", row.bytes},
          {"write_back_end", row.write_back_end},
          {"supplemented", row.supplemented}};
}

Json skin_json(const Skn& skn, const Inspection& inspection) {
  return {{"sk1", skn.sk1_count},
          {"sk2", skn.sk2_count},
          {"skacc", skn.acc_count},
          {"quantize_info", skn.quantize_info},
          {"memclr", {{"pointer", skn.memclr_pointer}, {"size", skn.memclr_size}}},
          {"flush", {{"pointer", skn.flush_pointer}, {"count", skn.flush_count}}},
          {"entries", list(inspection.entries, entry_json)}};
}

Json attribute_json(const FacialAttribute& a) {
  return {{"at", a.at},
          {"target", a.target},
          {"kind", a.kind},
          {"entries", a.entries},
          {"components", a.components},
          {"component_bytes", a.component_bytes},
          {"runs", a.runs.size() - (a.terminated ? 1 : 0)},
          {"terminated", a.terminated}};
}

Json face_json(const FacialObject& object) {
  return {{"poses", object.pose_count}, {"attributes", list(object.attributes, attribute_json)}};
}

Json line_json(const LineRun& run) {
  return {{"begin", run.begin},           {"end", run.end},
          {"owners", run.owners},         {"owner_count", run.owner_count},
          {"structures", run.structures}, {"structure_count", run.structure_count},
          {"stored", run.stored},         {"overlap", run.overlap}};
}

Json track_json(const AnmTrack& track) {
  const AnmTrackText text(track);
  return {{"at", track.at},
          {"id", track.id},
          {"length", track.length},
          {"type", text.type},
          {"interpolation", text.interpolation},
          {"quantization", track.quantization.raw},
          {"replaces_hierarchy", track.replace_hierarchy != 0},
          {"keys", track.keyframe_count}};
}

Json sequence_json(const AnmSequence& sequence) {
  return {{"at", sequence.at},
          {"name", text_or_null(sequence.name)},
          {"length", longest_track(sequence)},
          {"tracks", list(sequence.tracks, track_json)}};
}

Json problem_json(const Error& e) {
  return {{"at", e.offset}, {"code", name(e.code)}, {"structure", e.structure}, {"message", e.message}};
}

std::string printed(const Json& out) {
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string inspect_json(std::string_view file, const Block& block, const Inspection& inspection) {
  const Json out{{"schema", "lockline-inspect-1"},
                 {"file", file},
                 {"bytes", block.size},
                 {"sections", list(inspection.sections,
                                   [](const Section& s) {
                                     return Json{{"name", s.name}, {"at", s.at}, {"bytes", s.size}};
                                   })},
                 {"submeshes", block.gpl ? list(block.gpl->submeshes, submesh_json) : Json::array()},
                 {"skeleton", block.act ? bones_json(*block.act) : Json(nullptr)},
                 {"skin", block.skn ? skin_json(*block.skn, inspection) : Json(nullptr)},
                 {"facial_objects", block.facial ? list(block.facial->objects, face_json) : Json::array()},
                 {"lines", list(inspection.lines, line_json)},
                 {"problems", list(block.problems, problem_json)}};
  return printed(out);
}

std::string inspect_json(std::string_view file, const Anm& anm) {
  return printed({{"schema", "lockline-inspect-anm-1"},
                  {"file", file},
                  {"bytes", anm.size},
                  {"version", anm.version},
                  {"bank_id", anm.bank_id},
                  {"sequences", list(anm.sequences, sequence_json)},
                  {"problems", list(anm.problems, problem_json)}});
}

}  // namespace lockline::harness
