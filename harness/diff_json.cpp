#include "harness/diff_json.hpp"

#include "harness/finding_json.hpp"

namespace lockline::harness {
namespace {

using Json = nlohmann::ordered_json;

template <class Range, class F>
Json list(const Range& range, F to_json) {
  Json out = Json::array();
  for (const auto& element : range) out.push_back(to_json(element));
  return out;
}

std::string_view name(MatchedBy by) {
  constexpr std::array<std::string_view, 6> names{"slot", "bind-weights", "bind-bones",
                                                  "bind", "near-weights", "near-position"};
  return names[static_cast<std::size_t>(by)];
}

Json model(std::string_view file, const ModelSummary& summary) {
  return {{"file", file}, {"vertices", summary.vertices}, {"bones", summary.bones}, {"shift", summary.shift}};
}

Json matching(const DiffReport& report) {
  return {{"by_slot", report.by_slot},
          {"near_steps", near_steps},
          {"pairs", list(report.matched,
                         [](const auto& way) {
                           return Json{{"by", name(way.first)}, {"vertices", way.second}};
                         })},
          {"removed", report.removed},
          {"added", report.added},
          {"added_drawn", report.added_drawn}};
}

Json part(const PartDiff& p, const DiffReport& report) {
  return {{"name", p.name},
          {"vertices", p.vertices},
          {"moved", p.moved},
          {"turned", p.turned},
          {"rounded", p.rounded},
          {"distance", units(report, p.steps)},
          {"steps", p.steps},
          {"largest", frame_json(p.largest)},
          {"first", frame_json(p.first)}};
}

Json vertex(const VertexDiff& v, const DiffReport& report) {
  return {{"slot", v.slot},
          {"donor_slot", v.donor_slot},
          {"change", name(v.change)},
          {"distance", units(report, v.steps)},
          {"steps", v.steps},
          {"largest_frame", v.largest_frame},
          {"first_frame", v.first_frame}};
}

Json structure(const StructureDiff& s) {
  return {{"name", s.name},
          {"donor_at", s.donor_bytes == 0 ? Json(nullptr) : Json(s.donor_at)},
          {"donor_bytes", s.donor_bytes},
          {"patched_at", s.patched_bytes == 0 ? Json(nullptr) : Json(s.patched_at)},
          {"patched_bytes", s.patched_bytes},
          {"differing", s.differing},
          {"first_differing", s.differing == 0 ? Json(nullptr) : Json(s.first)}};
}

Json overwrite(const OverwriteDiff& o) {
  return {{"name", o.name},
          {"begin", o.begin},
          {"end", o.end},
          {"differing", o.bytes},
          {"author", emu::to_string(o.author)},
          {"first", frame_json(o.frame)},
          {"in_donor", o.in_donor}};
}

Json fault(const FaultDiff& f) {
  return {{"model", f.in_patched ? "patched" : "donor"},
          {"step", emu::name(f.fault.step)},
          {"entry", f.fault.entry},
          {"stored", f.fault.stored},
          {"at", frame_json(f.frame)},
          {"dolphin_line", f.fault.dolphin_line()}};
}

}  // namespace

std::string diff_json(const DiffNames& names, const DiffReport& report, const CheckOptions& options) {
  const auto part_json = [&](const PartDiff& p) { return part(p, report); };
  const Json out{{"schema", "lockline-diff-1"},
                 {"profile", options.machine.profile->name},
                 {"memclr", options.machine.memclr == emu::MemClr::dcbz ? "dcbz" : "store"},
                 {"differs", report.differs()},
                 {"donor", model(names.donor, report.donor)},
                 {"patched", model(names.patched, report.patched)},
                 {"matching", matching(report)},
                 {"counts",
                  {{"moved", report.count(VertexChange::moved)},
                   {"turned", report.count(VertexChange::turned)},
                   {"rounded", report.count(VertexChange::rounded)}}},
                 {"poses", report.poses},
                 {"frames", report.frames},
                 {"not_emulated", report.not_emulated.empty() ? Json(nullptr) : Json(report.not_emulated)},
                 {"entries", list(report.entries, part_json)},
                 {"bones", list(report.bones, part_json)},
                 {"vertices", list(report.vertices, [&](const VertexDiff& v) { return vertex(v, report); })},
                 {"structures", list(report.structures, structure)},
                 {"overwrites", list(report.overwrites, overwrite)},
                 {"findings", list(report.findings, finding_json)},
                 {"faults", list(report.faults, fault)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockline::harness
