#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/intent.hpp"
#include "harness/rule.hpp"
#include "harness/slots.hpp"

/// Rules about facial poses. Source: rules.md "Static, GPL / ACT / facial", seeds/facial-pose-section.
namespace lockline::harness::rule_checks {
namespace {

template <class F>
void for_each_attribute(const Block& block, F&& f) {
  if (!block.facial) return;
  for (std::size_t o = 0; o < block.facial->objects.size(); ++o) {
    const FacialObject& object = block.facial->objects[o];
    for (std::size_t a = 0; a < object.attributes.size(); ++a) {
      f(fmt::format("facial / object {} / attribute {}", o, a), object, object.attributes[a]);
    }
  }
}

Finding& add_record(Findings& out, const std::string& name, const FacialAttribute& a, std::string cause) {
  Finding& f = out.add(name, a.at, a.at + 12 + 4 * static_cast<std::uint32_t>(a.pose_pointers.size()),
                       std::move(cause));
  f.related = {"SKN"};  // where a wrong pose on the skin shows
  return f;
}

std::uint32_t run_sum(const FacialAttribute& a) {
  std::uint32_t sum = 0;
  for (const FacialRun& run : a.runs) sum += run.length;
  return sum;
}

/// Raw components of `count` target elements each `width` wide, when they are s16; nullptr otherwise.
const std::vector<std::int16_t>* raw_s16(const Components& values) {
  return std::get_if<std::vector<std::int16_t>>(&values);
}

}  // namespace

void face_terminator(const Subject& subject, Findings& out) {
  for_each_attribute(
      subject.block, [&](const std::string& name, const FacialObject&, const FacialAttribute& a) {
        if (a.terminated) return;
        const auto end = static_cast<std::uint32_t>(a.runs_at + 4 * a.runs.size());
        Finding& f = out.add(
            name + " / runs", a.runs_at, end,
            fmt::format("the run list at {:#x} covers its {} entries, but does not end with a (0, 0) pair",
                        a.runs_at, a.entries));
        f.related = {"SKN"};
        f.fix = fmt::format("insert four zero bytes at {:#x} and move the data after them", end);
      });
}

void face_sum(const Subject& subject, Findings& out) {
  for_each_attribute(
      subject.block, [&](const std::string& name, const FacialObject&, const FacialAttribute& a) {
        const std::uint32_t sum = run_sum(a);
        if (!a.terminated || sum == a.entries) return;
        add_record(out, name, a,
                   fmt::format("the runs cover {} vertices, the record announces {}", sum, a.entries))
            .fix = fmt::format(
            "set the entry count, the word at {:#x}, to {}, if the pose arrays have that many records", a.at,
            sum);
      });
}

void face_order(const Subject& subject, Findings& out) {
  for_each_attribute(
      subject.block, [&](const std::string& name, const FacialObject&, const FacialAttribute& a) {
        std::uint32_t reached = 0;
        for (const FacialRun& run : a.runs) {
          if (run.length == 0) break;
          if (run.first < reached) {
            add_record(out, name, a,
                       fmt::format("the run at vertex {} follows one that ended at {}", run.first, reached))
                .fix = fmt::format(
                "put the run at vertex {} before that one, its records of every pose with it", run.first);
            return;
          }
          reached = std::uint32_t{run.first} + run.length;
        }
      });
}

void face_target(const Subject& subject, Findings& out) {
  for_each_attribute(subject.block, [&](const std::string& name, const FacialObject& object,
                                        const FacialAttribute& a) {
    const std::size_t targets = a.kind == 0 ? (subject.block.skn ? subject.block.skn->acc.size() : 0)
                                            : (subject.block.gpl ? subject.block.gpl->submeshes.size() : 0);
    if (a.target >= targets) {
      add_record(out, name, a,
                 fmt::format("it targets {} {}, the model has {}", a.kind == 0 ? "SKAcc entry" : "submesh",
                             a.target, targets))
          .fix = fmt::format("set the target, the byte at {:#x}, below {}", a.at + 4, targets);
    }
    const auto& types = subject.block.facial->types;
    const std::uint8_t format = static_cast<std::uint8_t>(a.components << 4 | a.component_bytes);
    const bool described = std::any_of(types.begin(), types.end(), [&](const FacialTypeDescriptor& t) {
      return t.target == a.target && t.kind == a.kind && t.format == format;
    });
    if (!described) {
      add_record(out, name, a,
                 fmt::format("no type descriptor matches target {}, kind {}, format {:#04x}", a.target,
                             a.kind, format))
          .fix = fmt::format(
          "correct the bytes at {:#x}, or add a type descriptor for target {}, kind {}, format {:#04x}",
          a.at + 4, a.target, a.kind, format);
    }
    if (object.record_size != 12U + 4U * object.pose_count) {
      add_record(out, name, a,
                 fmt::format("the object's record size {} is not 12 + 4 x {} poses", object.record_size,
                             object.pose_count))
          .fix = fmt::format("set the object's record size, the word at {:#x}, to {}", object.at + 4,
                             12U + 4U * object.pose_count);
    }
  });
}

void face_pose0(const Subject& subject, Findings& out) {
  for_each_attribute(subject.block, [&](const std::string& name, const FacialObject&,
                                        const FacialAttribute& a) {
    const Block& block = subject.block;
    if (a.kind > 2 || a.kind == 0 || a.poses.empty() || !block.gpl || a.target >= block.gpl->submeshes.size())
      return;
    const auto& layout = block.gpl->submeshes[a.target].layout;
    if (!layout) return;
    const Components* values = nullptr;
    if (a.kind == 1 && layout->position) values = &layout->position->values;
    if (a.kind == 2 && layout->lighting) values = &layout->lighting->values;
    const auto* raw = values == nullptr ? nullptr : raw_s16(*values);
    if (raw == nullptr) return;
    std::uint32_t record = 0, wrong = 0, first = 0;
    for (const FacialRun& run : a.runs) {
      for (std::uint32_t i = 0; i < run.length; ++i, ++record) {
        const std::size_t from = std::size_t{record} * a.components,
                          to = (std::size_t{run.first} + i) * a.components;
        if (from + a.components > a.poses[0].size() || to + a.components > raw->size()) continue;
        const bool equal = std::equal(a.poses[0].begin() + static_cast<std::ptrdiff_t>(from),
                                      a.poses[0].begin() + static_cast<std::ptrdiff_t>(from + a.components),
                                      raw->begin() + static_cast<std::ptrdiff_t>(to));
        if (!equal && wrong++ == 0) first = run.first + i;
      }
    }
    if (wrong == 0) return;
    add_record(out, name, a,
               fmt::format("pose 0 differs from the mesh for {} vertices, the first is {}", wrong, first))
        .fix = fmt::format(
        "copy the mesh's {} bytes of vertex {} into its record of pose 0, and so for the {} others",
        std::size_t{a.components} * 2, first, wrong - 1);
  });
}

namespace {

/// Where the game writes a facial record minus where its entry reads it, in bytes; nullopt when no entry
/// reads the slot.
std::optional<std::int64_t> out_of_step(const Subject& subject, std::uint32_t slot) {
  const std::int32_t owner = subject.slots.direct(slot);
  if (owner < 0) return std::nullopt;
  const DirectEntry& e = subject.entries[static_cast<std::size_t>(owner)];
  const std::int64_t reads = std::int64_t{e.source} + std::int64_t{slot} * vertex_stride - e.destination;
  const std::int64_t writes =
      std::int64_t{subject.block.skn->sk1.front().source} + std::int64_t{slot} * vertex_stride;
  return writes - reads;
}

}  // namespace

void face_mirror(const Subject& subject, Findings& out) {
  if (!subject.facial.any || !subject.block.skn) return;
  const Skn& skn = *subject.block.skn;
  std::uint32_t object = 0;
  for_each_attribute(subject.block, [&](const std::string& name, const FacialObject& o,
                                        const FacialAttribute& a) {
    object = static_cast<std::uint32_t>(&o - subject.block.facial->objects.data());
    if (!targets_skin(subject.block, a)) return;
    if (skn.sk1.empty()) {
      add_record(out, name, a,
                 "it targets the skinned submesh, but there is no SK1 entry to find the source mirror by");
      return;
    }
    if (skn.sk1.front().destination != 0) {
      add_record(out, name, a,
                 fmt::format("the game takes SK1[0].source for slot 0, but SK1[0] starts at +{:#x}",
                             skn.sk1.front().destination))
          .fix = "order the entries so that SK1[0] writes slot 0";
      return;
    }
    std::vector<std::uint32_t> slots;
    std::int64_t step = 0;
    for (const FacialSlot& f : subject.facial.slots) {
      if (f.object != object) continue;
      const auto off = out_of_step(subject, f.slot);
      if (!off || *off == 0) continue;
      slots.push_back(f.slot);
      step = *off;
    }
    if (slots.empty()) return;
    const DirectEntry& e = subject.entries[static_cast<std::size_t>(subject.slots.direct(slots.back()))];
    add_record(
        out, name, a,
        fmt::format(
            "{} of its {} records are written {} bytes {} where the skin reads them ({} records and {} "
            "bytes): slots {}, the last in {}",
            slots.size(), a.entries, std::abs(step), step > 0 ? "past" : "before",
            std::abs(step) / vertex_stride, std::abs(step) % vertex_stride, ranges(slots), e.name()))
        .fix = fmt::format(
        "move the source of {} to {:#x} (SK1[0].source {:#x} + gplVertexArr {:#x}), and the others' alike",
        e.name(), skn.sk1.front().source + e.destination, skn.sk1.front().source, e.destination);
  });
}

void face_written(const Subject& subject, Findings& out) {
  const SlotTable& slots = subject.slots;
  std::uint32_t unwritten = 0;
  const FacialSlot* first = nullptr;
  const FacialSlots facial = subject.facial;
  for (const FacialSlot& f : facial.slots) {
    if (slots.direct(f.slot) < 0 && unwritten++ == 0) first = &f;
  }
  if (unwritten == 0) return;
  const FacialAttribute& a = subject.block.facial->objects[first->object].attributes[first->attribute];
  add_record(out, fmt::format("facial / object {} / attribute {}", first->object, first->attribute), a,
             fmt::format("{} facial vertices are written by no SK1 or SK2 entry, the first is slot {}",
                         unwritten, first->slot))
      .fix =
      fmt::format("let the run name a slot that an entry writes instead of {}, or give slot {} to an entry",
                  first->slot, first->slot);
}

void face_packing(const Subject& subject, Findings& out) {
  if (!subject.block.facial) return;
  const Facial& facial = *subject.block.facial;
  std::uint32_t expected = 0x14 + 16U * facial.type_count;
  if (facial.types_pointer != 0x14 || facial.objects_pointer != expected) {
    out.add("facial / header", facial.at, facial.at + 0x14,
            fmt::format("type descriptors at {:#x} and objects at {:#x}, packed they are at 0x14 and {:#x}",
                        facial.types_pointer, facial.objects_pointer, expected))
        .fix = fmt::format("set the pointers to 0x14 and {:#x} and move the tables there", expected);
    return;
  }
  expected += 12U * facial.object_count;
  std::string misplaced;
  const auto place = [&](std::string what, std::uint32_t at, std::size_t bytes) {
    if (misplaced.empty() && at != expected)
      misplaced = fmt::format("{} is at {:#x}, packed it is at {:#x}", what, at, expected);
    expected = at + static_cast<std::uint32_t>(bytes);
  };
  for (std::size_t o = 0; o < facial.objects.size(); ++o) {
    const FacialObject& object = facial.objects[o];
    place(fmt::format("the records of object {}", o), object.attributes_pointer,
          std::size_t{object.record_size} * object.attribute_count);
    for (const FacialAttribute& a : object.attributes)
      place(fmt::format("a run list of object {}", o), a.runs_pointer, 4 * a.runs.size());
    for (const FacialAttribute& a : object.attributes) {
      for (const std::uint32_t pose : a.pose_pointers) {
        place(fmt::format("a pose of object {}", o), pose,
              std::size_t{a.entries} * a.components * a.component_bytes);
      }
    }
  }
  if (!misplaced.empty())
    out.add("facial / header", facial.at, facial.at + 0x14, misplaced).fix =
        "move it there, and its pointer with it";
}

}  // namespace lockline::harness::rule_checks
