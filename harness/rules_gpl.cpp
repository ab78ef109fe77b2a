#include <fmt/format.h>

#include <algorithm>

#include "harness/draw.hpp"
#include "harness/regions.hpp"
#include "harness/rule.hpp"
#include "harness/slots.hpp"
#include "harness/spans.hpp"

/// Rules about meshes, bones and the block. Source: rules.md "Static, GPL / ACT / facial".
namespace lockline::harness::rule_checks {
namespace {

bool is_layout_structure(StructureKind kind) {
  switch (kind) {
    case StructureKind::header:
    case StructureKind::layout:
    case StructureKind::array_header:
    case StructureKind::display_header:
    case StructureKind::display_states:
      return true;
    default:
      return false;
  }
}

}  // namespace

void block_header(const Subject& subject, Findings& out) {
  const BlockHeader& h = subject.block.header;
  const auto size = subject.bytes.size();
  const auto report = [&](std::uint32_t field, std::string cause) {
    out.add("block header", field, field + 4, std::move(cause)).fix = fmt::format(
        "set the word at {:#x} to where the section starts, above the one before it and below {:#x}, or to 0 "
        "for none",
        field, size);
  };
  if (h.zero != 0) {
    Finding& f =
        out.add("block header", 0, 4, fmt::format("the first word is {:#x}, it is 0 in every model", h.zero));
    f.fix = "set it to 0";
  }
  const struct {
    const char* name;
    std::uint32_t field, pointer;
  } sections[] = {{"GPL", 0x04, h.gpl},  {"ACT", 0x08, h.act},   {"TEX", 0x0C, h.tex},
                  {"SKN", 0x10, h.skn},  {"ptr6", 0x14, h.ptr6}, {"facial", 0x18, h.facial},
                  {"ptr8", 0x1C, h.ptr8}};
  std::uint32_t previous = 0;
  const char* previous_name = "header";
  for (const auto& s : sections) {
    if (s.pointer == 0) continue;
    if (s.pointer >= size) {
      report(s.field, fmt::format("the {} section starts at {:#x}, past the block's end at {:#x}", s.name,
                                  s.pointer, size));
    } else if (s.pointer <= previous) {
      report(
          s.field,
          fmt::format(
              "the {} section ({:#x}) starts before the {} section ({:#x}): pointers ascend in every model",
              s.name, s.pointer, previous_name, previous));
    } else if (s.pointer < BlockHeader::bytes) {
      report(s.field,
             fmt::format("the {} section starts at {:#x}, inside the block header", s.name, s.pointer));
    }
    previous = std::max(previous, s.pointer);
    previous_name = s.name;
  }
}

namespace {

/// "ACT / bone 12 / control" and "ACT / bone 7 / control" are the same kind of part.
std::string without_numbers(std::string_view structure) {
  std::string out;
  std::copy_if(structure.begin(), structure.end(), std::back_inserter(out),
               [](char c) { return c < '0' || c > '9'; });
  return out;
}

/// Section pointers are block.header's, the skin's arrays skn.bounds'.
bool has_its_own_rule(const Error& problem) {
  const std::string_view name = problem.structure;
  const bool array = name.ends_with("source") || name.ends_with("weights") || name.ends_with("indices") ||
                     name.ends_with("flush");
  return name == "block header" || (name.starts_with("SKN / ") && array);
}

}  // namespace

void block_read(const Subject& subject, Findings& out) {
  struct Kind {
    const Error* first;
    std::size_t count = 0;
  };
  std::vector<std::pair<std::string, Kind>> kinds;
  for (const Error& problem : subject.block.problems) {
    if (has_its_own_rule(problem)) continue;
    std::string key = without_numbers(problem.structure);
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == key; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {std::move(key), Kind{&problem, 0}});
    ++found->second.count;
  }
  for (const auto& [key, kind] : kinds) {
    const Error& e = *kind.first;
    out.add(e.structure, e.offset, e.offset,
            kind.count == 1 ? e.message : fmt::format("{} (and {} more like it)", e.message, kind.count - 1))
        .fix = fmt::format("correct the pointer or count that leads to {:#x}", e.offset);
  }
}

void gpl_writeback(const Subject& subject, Findings& out) {
  const PositionArray* positions = subject.block.skinned_positions();
  if (positions == nullptr) return;
  const DirectEntry* last = nullptr;
  const auto& entries = subject.entries;
  for (const DirectEntry& e : entries) {
    if (e.bytes() != 0 && (last == nullptr || e.write_back_end() > last->write_back_end())) last = &e;
  }
  if (last == nullptr) return;
  const std::uint64_t end =
      std::min<std::uint64_t>(positions->data_at + last->write_back_end(), subject.bytes.size());
  const auto pointers = draw_pointers(subject.block);
  for (const StructureRange* range :
       subject.map.overlapping(positions->data_at, static_cast<std::uint32_t>(end))) {
    if (!is_layout_structure(range->kind) || range->begin < positions->data_at) continue;
    const DirectEntry* culprit = nullptr;
    for (const DirectEntry& e : entries) {
      if (e.bytes() != 0 && positions->data_at + e.write_back_end() > range->begin &&
          (culprit == nullptr || e.destination > culprit->destination))
        culprit = &e;
    }
    const std::uint64_t culprit_end = positions->data_at + culprit->write_back_end();
    Finding& f =
        out.add(range->name, range->begin, range->end,
                fmt::format("the write-back of {} covers whole lines up to {:#x}; {} starts at {:#x}",
                            culprit->name(), culprit_end, range->name, range->begin));
    const bool pointer_hit = std::any_of(pointers.begin(), pointers.end(), [&](const DrawPointer& p) {
      return p.at >= range->begin && p.at < std::min<std::uint64_t>(range->end, end);
    });
    if (!pointer_hit) f.severity = Severity::corrupt;
    f.fix = fmt::format(
        "reserve the position region up to its write-back end: move the structures after it to {:#x} or "
        "later",
        culprit_end);
  }
}

namespace {

/// Every write of a frame but the clear that reaches past `stored` bytes of positions, with its author.
Spans<std::string> scratch_writes(const Subject& subject, std::uint64_t stored) {
  Spans<std::string> out;
  const auto add = [&](std::uint64_t begin, std::uint64_t end, const std::string& author) {
    if (end > stored) out.add(begin, end, author);
  };
  for (const DirectEntry& e : subject.entries) {
    if (e.bytes() != 0) add(e.destination, e.write_back_end(), e.name());
  }
  const auto& acc = subject.block.skn->acc;
  for (std::size_t i = 0; i < acc.size(); ++i) {
    const std::string name = fmt::format("SKAcc[{}]", i);
    for (const std::uint64_t at : destinations(acc[i])) add(at, at + vertex_stride, name);
  }
  out.sort();
  return out;
}

Spans<std::string> scratch_clear(const Skn& skn, std::uint64_t stored) {
  Spans<std::string> out;
  const std::uint64_t end = std::uint64_t{skn.memclr_pointer} + skn.memclr_size;
  if (skn.memclr_size != 0 && skn.acc_count != 0 && end > stored) out.add(skn.memclr_pointer, end, "memClr");
  out.sort();
  return out;
}

}  // namespace

void gpl_scratch(const Subject& subject, Findings& out) {
  const PositionArray* positions = subject.block.skinned_positions();
  if (positions == nullptr || !subject.block.skn) return;
  const std::uint64_t stored = positions->header.count * std::uint64_t{vertex_stride};
  const Spans<std::string> writes = scratch_writes(subject, stored),
                           clear = scratch_clear(*subject.block.skn, stored);
  const auto* last = writes.last();
  if (last == nullptr || (clear.last() != nullptr && clear.last()->end > last->end)) last = clear.last();
  if (last == nullptr) return;
  const std::uint64_t begin = positions->data_at + stored, end = positions->data_at + last->end;
  const std::uint64_t clipped = std::min<std::uint64_t>(end, subject.bytes.size());
  if (end > subject.bytes.size()) {
    Finding& f = out.add("GPL / submesh 0 / positions", positions->data_at,
                         static_cast<std::uint32_t>(subject.bytes.size()),
                         fmt::format("{} writes up to +{:#x}, {} bytes past the block's end", last->value,
                                     last->end, end - subject.bytes.size()));
    f.severity = Severity::crash;
    f.related = {"SKN / " + last->value};
    f.fix = fmt::format("reserve {:#x} bytes for the positions, or move the destination of {} down",
                        last->end, last->value);
  }
  for (const StructureRange* range :
       subject.map.overlapping(static_cast<std::uint32_t>(std::min<std::uint64_t>(begin, clipped)),
                               static_cast<std::uint32_t>(clipped))) {
    if (range->kind == StructureKind::gap || range->begin < begin) continue;
    const std::uint64_t from = range->begin - positions->data_at, to = range->end - positions->data_at;
    const auto* writer = writes.touching(from, to);
    const bool cleared = writer == nullptr;
    if (cleared) writer = clear.touching(from, to);
    if (writer == nullptr) continue;
    Finding& f = out.add(range->name, range->begin, range->end,
                         fmt::format("{} writes up to +{:#x} of the position data, which stores {:#x} bytes; "
                                     "{} starts {} bytes before that",
                                     writer->value, writer->end, stored, range->name,
                                     positions->data_at + writer->end - range->begin));
    f.fix = fmt::format("reserve {:#x} bytes for the positions: move {} to {:#x} or later", last->end,
                        range->name, end);
    // Only the round-up of memClr to whole lines reaches it: vanilla chunk 2 file 0 does so and runs.
    if (cleared && is_memclr_rounding(subject, range->begin)) {
      f.severity = Severity::note;
      f.consequence =
          "only memClr's round-up to whole lines reaches it; one vanilla model does the same over a colour "
          "header and runs";
    }
  }
}

namespace {

std::string_view attribute_name(Attribute attribute) {
  constexpr std::string_view names[] = {"position", "normal", "colour 0", "colour 1", "UV 0", "UV 1",
                                        "UV 2",     "UV 3",   "UV 4",     "UV 5",     "UV 6", "UV 7"};
  return names[static_cast<std::size_t>(attribute)];
}

void check_list(const Layout& layout, const std::string& name, const PrimitiveList& list, std::uint32_t size,
                Findings& out) {
  if (list.at % cache_line != 0) {
    out.add(name, list.at, list.at + size,
            fmt::format("the list starts at {:#x}, not on a 32-byte boundary", list.at))
        .fix = fmt::format("move the list to {:#x} and its pointer with it", align_up(list.at, cache_line));
  }
  if (size % cache_line != 0) {
    out.add(name, list.at, list.at + size, fmt::format("the list's size {:#x} is no multiple of 32", size))
        .fix = fmt::format("pad the list with zeros to {:#x} bytes", align_up(size, cache_line));
  }
  if (!list.terminated) {
    Finding& f =
        out.add(name, list.at, list.at + size, "the list does not end with a 0 opcode inside its size");
    f.severity = Severity::crash;
    f.consequence = "the graphics processor takes what follows for commands and hangs";
    f.fix =
        fmt::format("end the list with zeros before {:#x}, or raise its size past its zeros", list.at + size);
  }
  const std::size_t width = list.attributes.size();
  for (std::size_t column = 0; column < width; ++column) {
    const std::uint32_t limit = elements(layout, list.attributes[column].attribute);
    std::size_t wild = 0;
    std::uint32_t first = 0;
    for (const Primitive& p : list.primitives) {
      for (std::size_t i = column; i < p.indices.size(); i += width) {
        if (p.indices[i] >= limit && wild++ == 0) first = p.indices[i];
      }
    }
    if (wild == 0) continue;
    out.add(name, list.at, list.at + size,
            fmt::format("{} {} indices are past the array of {} elements, the first is {}", wild,
                        attribute_name(list.attributes[column].attribute), limit, first))
        .fix = fmt::format("use indices below {}, or store {} more elements", limit, first + 1 - limit);
  }
}

}  // namespace

void gpl_index(const Subject& subject, Findings& out) {
  if (!subject.block.gpl) return;
  const auto& submeshes = subject.block.gpl->submeshes;
  for (std::size_t s = 0; s < submeshes.size(); ++s) {
    if (!submeshes[s].layout || !submeshes[s].layout->display) continue;
    const Layout& layout = *submeshes[s].layout;
    for (std::size_t i = 0; i < layout.display->states.size(); ++i) {
      const DisplayState& state = layout.display->states[i];
      if (state.list)
        check_list(layout, fmt::format("GPL / submesh {} / primitive list {}", s, i), *state.list,
                   state.list_size, out);
    }
  }
}

void gpl_components(const Subject& subject, Findings& out) {
  if (!subject.block.gpl) return;
  const auto& submeshes = subject.block.gpl->submeshes;
  for (std::size_t s = 0; s < submeshes.size(); ++s) {
    if (!submeshes[s].layout || !submeshes[s].layout->position) continue;
    const ArrayHeader& h = submeshes[s].layout->position->header;
    const bool skinned = s == 0 && subject.block.skn.has_value();
    const std::uint32_t expected = skinned ? 6 : 3;
    if (h.components == expected) continue;
    out.add(fmt::format("GPL / submesh {} / position header", s), h.at, h.at + 8,
            fmt::format("submesh {} has {} position components, a {} one has {}", s, h.components,
                        skinned ? "skinned" : "rigid", expected))
        .fix = fmt::format("store {} components a vertex and set the byte at {:#x} to {}", expected, h.at + 7,
                           expected);
  }
}

void gpl_owned(const Subject& subject, Findings& out) {
  if (!subject.block.gpl || !subject.block.act) return;
  const Gpl& gpl = *subject.block.gpl;
  const auto submeshes = static_cast<std::uint32_t>(gpl.submeshes.size());
  std::vector<bool> owned(submeshes);
  const auto& bones = subject.block.act->bones;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const Bone& bone = bones[i];
    if (bone.geo_id == Bone::no_submesh || bone.id != i) continue;  // a misplaced bone is act.tree's
    const auto name = fmt::format("ACT / bone {}", bone.id);
    if (bone.geo_id >= gpl.submesh_count) {
      out.add(name, bone.at, bone.at + 0x1C,
              fmt::format("bone {} draws submesh {}, the model has {}", bone.id, bone.geo_id,
                          gpl.submesh_count))
          .fix = fmt::format("set its GEO id to a submesh below {} or to 0xFFFF", gpl.submesh_count);
      continue;
    }
    if (bone.geo_id < submeshes) owned[bone.geo_id] = true;
    if (bone.geo_id == 0 && subject.block.skn) {
      out.add(name, bone.at, bone.at + 0x1C,
              fmt::format("bone {} draws submesh 0 rigidly, but it is the skinned one", bone.id))
          .fix = "set its GEO id to 0xFFFF";
    }
  }
  for (std::uint32_t s = subject.block.skn ? 1 : 0; s < submeshes; ++s) {
    if (owned[s]) continue;
    Finding& f = out.add(fmt::format("GPL / submesh {}", s), gpl.submeshes[s].at, gpl.submeshes[s].at + 8,
                         fmt::format("no bone draws submesh {}", s));
    f.dolphin_line = std::string(load_unowned_line);
    f.fix = fmt::format("set the GEO id of a bone to {}", s);
  }
}

void act_tree(const Subject& subject, Findings& out) {
  if (!subject.block.act) return;
  const Act& act = *subject.block.act;
  constexpr std::uint32_t table = 0x20, bone_bytes = 0x1C, max_bones = 255;
  if (act.bone_count > max_bones) {
    out.add("ACT / header", act.at, act.at + table,
            fmt::format("{} bones, the mirror table's limit is 255", act.bone_count))
        .fix = fmt::format("remove {} bones", act.bone_count - max_bones);
  }
  const auto index_of = [&](std::uint32_t pointer) -> std::int64_t {
    if (pointer == 0) return -1;
    if (pointer < table || (pointer - table) % bone_bytes != 0 ||
        (pointer - table) / bone_bytes >= act.bones.size())
      return -2;
    return (pointer - table) / bone_bytes;
  };
  const auto report = [&](const Bone& b, std::string cause, std::string fix) {
    out.add(fmt::format("ACT / bone {}", (b.at - act.at - table) / bone_bytes), b.at, b.at + bone_bytes,
            std::move(cause))
        .fix = std::move(fix);
  };
  const auto link = [&](std::int64_t bone) { return table + static_cast<std::uint32_t>(bone) * bone_bytes; };
  if (act.bones.size() != act.bone_count || (act.bone_count != 0 && index_of(act.root_pointer) < 0)) {
    out.add("ACT / header", act.at, act.at + table,
            act.bones.size() != act.bone_count
                ? fmt::format("{} bones announced, {} are there", act.bone_count, act.bones.size())
                : fmt::format("the root pointer {:#x} is no bone of the table", act.root_pointer))
        .fix = act.bones.size() != act.bone_count
                   ? fmt::format("set the bone count to {}", act.bones.size())
                   : fmt::format("set the root pointer to {:#x} (bone 0)", table);
  }
  for (std::size_t i = 0; i < act.bones.size(); ++i) {
    const Bone& b = act.bones[i];
    if (b.id != i)
      report(b, fmt::format("the bone at place {} has id {}", i, b.id),
             fmt::format("set its id, the half-word at {:#x}, to {}", b.at + 0x16, i));
    const std::int64_t next = index_of(b.next), previous = index_of(b.previous), parent = index_of(b.parent),
                       child = index_of(b.child);
    if (next == -2 || previous == -2 || parent == -2 || child == -2) {
      report(b, "a link leads to no bone of the table",
             fmt::format("links are 0 or {:#x} + 0x1c x bone, up to {:#x}", table,
                         link(std::ssize(act.bones) - 1)));
      continue;
    }
    const auto at = [&](std::int64_t k) -> const Bone& { return act.bones[static_cast<std::size_t>(k)]; };
    const std::int64_t self = static_cast<std::int64_t>(i);
    if (next >= 0 && index_of(at(next).previous) != self)
      report(b, fmt::format("its next sibling {} does not link back", next),
             fmt::format("set the previous sibling of bone {} (at {:#x}) to {:#x}", next, at(next).at + 4,
                         link(self)));
    if (child >= 0 && index_of(at(child).parent) != self)
      report(b, fmt::format("its first child {} has another parent", child),
             fmt::format("set the parent of bone {} (at {:#x}) to {:#x}", child, at(child).at + 0xC,
                         link(self)));
  }
}

}  // namespace lockline::harness::rule_checks
