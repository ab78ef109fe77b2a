#include "harness/inspect_text.hpp"

#include <fmt/format.h>

#include "harness/inspect_anm.hpp"
#include "harness/text.hpp"

namespace lockline::harness {
namespace {

using Out = fmt::memory_buffer;

template <class... T>
void line(Out& out, fmt::format_string<T...> format, T&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
  out.push_back('\n');
}

void heading(Out& out, std::string_view title) {
  line(out, "\n{}", title);
}

void sections(Out& out, const Inspection& inspection) {
  heading(out, "Sections");
  for (const Section& s : inspection.sections)
    line(out, "  {:<14}{:#08x}  {:#x} bytes", s.name, s.at, s.size);
}

void array(Out& out, std::string_view name, const ArrayHeader& header, std::uint32_t data_at) {
  line(out, "    {:<14}{} x {}, quantization {:#04x}, header {:#08x}, data {:#08x}", name, header.count,
       header.components, header.quantization.raw, header.at, data_at);
}

void primitive_list(Out& out, const PrimitiveList& list, std::uint32_t size) {
  std::size_t vertices = 0;
  for (const Primitive& p : list.primitives) vertices += p.count;
  line(out, "      primitive list {:#08x}, {:#x} bytes: {} primitives, {} vertices of {} indices{}", list.at,
       size, list.primitives.size(), vertices, list.attributes.size(),
       list.terminated ? "" : ", NOT TERMINATED");
}

void display(Out& out, const DisplayHeader& header) {
  line(out, "    {:<14}header {:#08x}, {} states", "display", header.at, header.state_count);
  for (const DisplayState& state : header.states) {
    line(out, "      state type {}, setting {:#010x}", state.type, state.setting);
    if (state.list) primitive_list(out, *state.list, state.list_size);
  }
}

void layout(Out& out, const Layout& l) {
  if (l.position) array(out, "positions", l.position->header, l.position->data_at);
  if (l.colour) array(out, "colours", l.colour->header, l.colour->data_at);
  for (const UvArray& uv : l.uvs) array(out, "UVs", uv.header, uv.data_at);
  if (l.lighting) array(out, "normals", l.lighting->header, l.lighting->data_at);
  if (l.display) display(out, *l.display);
}

void submeshes(Out& out, const Gpl& gpl) {
  heading(out, "Submeshes");
  for (std::size_t i = 0; i < gpl.submeshes.size(); ++i) {
    const Submesh& submesh = gpl.submeshes[i];
    line(out, "  {} \"{}\"{}", i, submesh.name ? printable(submesh.name->text) : "",
         submesh.layout ? "" : ": layout unreadable");
    if (submesh.layout) layout(out, *submesh.layout);
  }
}

void bones(Out& out, const Act& act) {
  heading(out, "Bones");
  line(out, "  {} bones, {} controls, actor id {}, geo name \"{}\"", act.bone_count, act.controls.size(),
       act.actor_id, act.geo_name ? printable(act.geo_name->text) : "");
  for (const Bone& bone : act.bones) {
    if (bone.geo_id != Bone::no_submesh) line(out, "  bone {} draws submesh {}", bone.id, bone.geo_id);
  }
}

std::string slots(const EntryRow& row) {
  return row.first_slot ? fmt::format("{}-{}", *row.first_slot, *row.last_slot) : "-";
}

void entries(Out& out, const Inspection& inspection) {
  heading(out,
          "Entries (source from SKN, destination and end from the position data; bytes = vertexOffset + 12 x "
          "count)");
  line(out, "  {:<11} {:>9} {:>6} {:>6} {:>9} {:>11} {:>8} {:>8} {:>6} {:>12}", "entry", "bones", "count",
       "offset", "dest", "slots", "end", "source", "bytes", "supplemented");
  for (const EntryRow& row : inspection.entries) {
    line(out, "  {:<11} {:>9} {:>6} {:>6} {:>#9x} {:>11} {:>#8x} {:>#8x} {:>6} {:>12}", row.name,
         fmt::format("{}", fmt::join(row.bones, "+")), row.count, row.vertex_offset, row.destination,
         slots(row), row.write_back_end, row.source, row.bytes, row.supplemented);
  }
}

void skin(Out& out, const Skn& skn, const Inspection& inspection) {
  heading(out, "Skin");
  line(out, "  {} SK1, {} SK2, {} SKAcc, quantize info {:#04x}", skn.sk1_count, skn.sk2_count, skn.acc_count,
       skn.quantize_info);
  line(out, "  memClr {:#x}, {:#x} bytes; flush array {:#x}, {} indices", skn.memclr_pointer, skn.memclr_size,
       skn.flush_pointer, skn.flush_count);
  entries(out, inspection);
}

void faces(Out& out, const Facial& facial) {
  heading(out, "Facial objects");
  for (std::size_t o = 0; o < facial.objects.size(); ++o) {
    const FacialObject& object = facial.objects[o];
    line(out, "  object {}: {} poses", o, object.pose_count);
    for (const FacialAttribute& a : object.attributes) {
      line(out, "    target {}, kind {}, {} components of {} bytes, {} vertices in {} runs{}", a.target,
           a.kind, a.components, a.component_bytes, a.entries, a.runs.size() - (a.terminated ? 1 : 0),
           a.terminated ? "" : ", NOT TERMINATED");
    }
  }
}

std::string names(const std::vector<std::string>& shown, std::size_t count) {
  std::string out = fmt::format("{}", fmt::join(shown, ", "));
  if (count > shown.size()) out += fmt::format(" and {} more", count - shown.size());
  return out;
}

void line_run(Out& out, const LineRun& run) {
  std::string text = run.owner_count == 0 ? "gap" : names(run.owners, run.owner_count);
  if (run.overlap) text += "  OVERLAP";
  if (!run.stored) text += "  past the stored positions";
  if (run.structure_count != 0) text += "  over " + names(run.structures, run.structure_count);
  line(out, "  {:#07x}-{:#07x} {:>6}  {}", run.begin, run.end, (run.end - run.begin) / cache_line, text);
}

void lines(Out& out, const Inspection& inspection) {
  heading(out, "Position buffer, by 32-byte line (bytes, lines, who writes them)");
  for (const LineRun& run : inspection.lines) line_run(out, run);
}

void track(Out& out, const AnmTrack& t) {
  const AnmTrackText text(t);
  line(out, "    {:>5} {:>8g} {:>5}  {:<34} {:#04x}  {}{}", t.id, t.length, t.keyframe_count,
       fmt::format("{}", fmt::join(text.type, " ")), t.quantization.raw,
       fmt::format("{}", fmt::join(text.interpolation, " ")),
       t.replace_hierarchy != 0 ? "  replaces the hierarchy" : "");
}

void sequences(Out& out, const Anm& anm) {
  for (std::size_t i = 0; i < anm.sequences.size(); ++i) {
    const AnmSequence& s = anm.sequences[i];
    heading(out, fmt::format("Sequence {} \"{}\", {} tracks, length {:g}", i,
                             s.name ? printable(s.name->text) : "", s.track_count, longest_track(s)));
    line(out, "    {:>5} {:>8} {:>5}  {:<34} {}", "track", "length", "keys", "parts",
         "quantization, interpolation");
    for (const AnmTrack& t : s.tracks) track(out, t);
  }
}

void problems(Out& out, const std::vector<Error>& all) {
  if (all.empty()) return;
  heading(out, "Unreadable");
  for (const Error& problem : all) line(out, "  {}", printable(to_string(problem)));
}

}  // namespace

std::string inspect_text(std::string_view file, const Block& block, const Inspection& inspection) {
  Out out;
  line(out, "{}: model block, {:#x} bytes", printable(file), block.size);
  sections(out, inspection);
  if (block.gpl) submeshes(out, *block.gpl);
  if (block.act) bones(out, *block.act);
  if (block.skn) skin(out, *block.skn, inspection);
  if (block.facial) faces(out, *block.facial);
  if (block.skn && !inspection.lines.empty()) lines(out, inspection);
  problems(out, block.problems);
  return fmt::to_string(out);
}

std::string inspect_text(std::string_view file, const Anm& anm) {
  Out out;
  line(out, "{}: animation bank {}, version {:#x}, {:#x} bytes: {} sequences, {} tracks, {} keys",
       printable(file), anm.bank_id, anm.version, anm.size, anm.sequence_count, anm.track_total,
       anm.keyframe_total);
  sequences(out, anm);
  problems(out, anm.problems);
  return fmt::to_string(out);
}

}  // namespace lockline::harness
