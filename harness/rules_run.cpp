#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "harness/draw.hpp"
#include "harness/draw_effect.hpp"
#include "harness/observation.hpp"
#include "harness/regions.hpp"

/// Rules about what a frame did. Source: rules.md "Dynamic".
namespace lockline::harness {
namespace {

/// The structure that a fault, write or wrong vertex belongs to: its name and place in the block.
struct Place {
  std::string name;
  std::uint32_t begin = 0, end = 0;
};

Place place_of(const Block& block, emu::Step step, std::uint32_t entry) {
  if (const auto extent = entry_extent(block, step, entry)) {
    return {fmt::format("SKN / {}[{}]", emu::name(step), entry), extent->begin, extent->end};
  }
  if (block.skn && step != emu::Step::facial) {
    return {"SKN / header", block.skn->at, block.skn->at + Skn::header_bytes};
  }
  if (step == emu::Step::facial && block.facial && entry < block.facial->objects.size()) {
    const FacialObject& object = block.facial->objects[entry];
    return {fmt::format("facial / object {}", entry), object.at, object.at + 12};
  }
  return {"block header", 0, BlockHeader::bytes};
}

std::uint32_t vertex_count(const Block& block, emu::Step step, std::uint32_t entry) {
  const Skn& skn = *block.skn;
  if (step == emu::Step::sk1 && entry < skn.sk1.size()) return skn.sk1[entry].count;
  if (step == emu::Step::sk2 && entry < skn.sk2.size()) return skn.sk2[entry].count;
  if (step == emu::Step::skacc && entry < skn.acc.size()) return skn.acc[entry].count;
  return 0;
}

std::string hex(Bytes bytes) {
  std::string out;
  for (const std::uint8_t b : bytes.first(std::min<std::size_t>(bytes.size(), 12)))
    out += fmt::format("{:02x}", b);
  return bytes.size() > 12 ? out + "..." : out;
}

/// The round-up of memClr to whole lines: one vanilla model clears a header that way and runs.
bool is_harmless_clear(const Observation& o, const emu::Author& author, std::uint32_t begin) {
  return author.step == emu::Step::memclr && is_memclr_rounding(o.subject, begin);
}
constexpr std::string_view harmless_clear =
    "only memClr's round-up to whole lines reaches it; one vanilla model does the same over a colour header "
    "and runs";

void report_outside_block(const Observation& o, Findings& out) {
  const auto& model = o.machine.model();
  for (const emu::Write& w : o.machine.trace().writes()) {
    if (contains(model.block_bytes, w.address - model.block, w.size)) continue;
    const Place place = place_of(o.subject.block, w.author.step, w.author.entry);
    const std::int64_t begin = std::int64_t{w.address} - model.block;
    Finding& f =
        out.add(place.name, place.begin, place.end,
                begin < 0 ? fmt::format("{} writes {} bytes at {:#010x}, before the block",
                                        emu::to_string(w.author), w.size, w.address)
                          : fmt::format("{} writes up to {:#x}, past the block's end at {:#x}",
                                        emu::to_string(w.author), begin + w.size, model.block_bytes));
    f.severity = Severity::crash;
    f.consequence = "whatever the heap holds there is destroyed: the game stops now or later";
    f.fix = fmt::format("keep every destination inside the block's {:#x} bytes", model.block_bytes);
  }
}

/// One write that hits more structures than this names the others in one finding.
constexpr std::size_t structures_named = 6;

/// The part of a structure that a stray write covers.
struct Part {
  std::uint32_t begin, end;
};
Part part_of(const Stray& stray, const StructureRange& range) {
  return {std::max(stray.begin, range.begin), std::min(stray.end, range.end)};
}

bool changed(const Observation& o, const Stray& stray, const StructureRange& range) {
  const Part part = part_of(stray, range);
  const Bytes before = o.loaded.subspan(part.begin, part.end - part.begin);
  const Bytes after = o.machine.block().subspan(part.begin, part.end - part.begin);
  return !std::equal(before.begin(), before.end(), after.begin());
}

void report_structure(const Observation& o, const Stray& stray, const StructureRange& range, Findings& out) {
  const auto [begin, end] = part_of(stray, range);
  Finding& f = out.add(range.name, range.begin, range.end,
                       fmt::format("{} overwrites {} of its {} bytes ({:#x} .. {:#x}: {} becomes {})",
                                   emu::to_string(stray.author), end - begin, range.end - range.begin, begin,
                                   end, hex(o.loaded.subspan(begin, end - begin)),
                                   hex(o.machine.block().subspan(begin, end - begin))));
  if (!out.is_new(f)) return;
  if (auto effect = draw_effect(o.subject.block, range, o.loaded, o.machine.block()))
    f.consequence = std::move(*effect);
  f.related = {place_of(o.subject.block, stray.author.step, stray.author.entry).name};
  f.fix = fmt::format("move {} to {:#x} or later, or shorten {}", range.name, stray.end,
                      emu::to_string(stray.author));
  if (is_harmless_clear(o, stray.author, begin)) {
    f.severity = Severity::note;
    f.consequence = harmless_clear;
  }
}

void report_rest(const Observation& o, const Stray& stray, std::span<const StructureRange* const> rest,
                 Findings& out) {
  Finding& f = out.add(
      fmt::format("{} to {}", rest.front()->name, rest.back()->name), rest.front()->begin, rest.back()->end,
      fmt::format("{} overwrites {} more structures", emu::to_string(stray.author), rest.size()));
  f.related = {place_of(o.subject.block, stray.author.step, stray.author.entry).name};
  f.fix = fmt::format("move them to {:#x} or later, or shorten {}", stray.end, emu::to_string(stray.author));
}

}  // namespace

namespace rule_checks {

void run_fault(const Observation& o, Findings& out) {
  for (const emu::Fault& fault : o.result.faults) {
    const Place place = place_of(o.subject.block, fault.step, fault.entry);
    std::string cause;
    if (fault.kind == emu::FaultKind::foreign_bone) {
      cause = fmt::format("it asks for the matrix of bone {}, the palette ends at {}", fault.address,
                          o.pose.matrices.size());
    } else if (fault.kind == emu::FaultKind::dma) {
      cause = fmt::format("its DMA command names {:#010x}, where no memory is", fault.address);
    } else {
      cause = fmt::format(
          "after {} vertices of {} its loop reaches {:#010x}, where nothing answers", fault.stored,
          o.subject.block.skn ? vertex_count(o.subject.block, fault.step, fault.entry) : 0, fault.address);
    }
    Finding& f = out.add(place.name, place.begin, place.end, cause);
    if (fault.kind == emu::FaultKind::foreign_bone) {
      f.consequence = "the game takes unknown heap bytes for a matrix: vertices fly off, or the game stops";
    } else {
      f.dolphin_line = fault.dolphin_line();
    }
  }
}

void run_overwrite(const Observation& o, Findings& out) {
  report_outside_block(o, out);
  for (const Stray& stray : o.strays) {
    std::vector<const StructureRange*> hit;
    for (const StructureRange* range : o.subject.map.overlapping(stray.begin, stray.end)) {
      if (range->kind != StructureKind::gap && changed(o, stray, *range)) hit.push_back(range);
    }
    const std::size_t named = std::min(hit.size(), structures_named);
    for (std::size_t i = 0; i < named; ++i) report_structure(o, stray, *hit[i], out);
    if (hit.size() > named) report_rest(o, stray, std::span(hit).subspan(named), out);
  }
}

void run_stale(const Observation& o, Findings& out) {
  for (const WrongVertices& wrong : o.wrong) {
    const Place place = place_of(o.subject.block, wrong.step, wrong.entry);
    const std::uint32_t first = wrong.vertices.front();
    const std::uint64_t offset =
        wrong.step == emu::Step::skacc ? destinations(o.subject.block.skn->acc[wrong.entry])[first] : [&] {
          const auto& entries = o.subject.entries;
          const std::size_t index =
              wrong.step == emu::Step::sk1 ? wrong.entry : o.subject.block.skn->sk1.size() + wrong.entry;
          return entries[index].first_vertex() + first * std::uint64_t{vertex_stride};
        }();
    const std::uint32_t address = o.machine.model().positions + static_cast<std::uint32_t>(offset);
    const emu::Write* writer = o.machine.trace().last_writer(address, address + vertex_stride);
    Finding& f = out.add(
        place.name, place.begin, place.end,
        fmt::format(
            "{} of {} vertices hold something else than it computes: {} (slot {} on; the farthest is {:.3g} "
            "units away, {} raw steps along an axis; vertex {} {})",
            wrong.vertices.size(), vertex_count(o.subject.block, wrong.step, wrong.entry),
            ranges(wrong.vertices), offset / vertex_stride,
            std::ldexp(wrong.farthest, -o.subject.block.skinned_positions()->header.quantization.shift()),
            wrong.farthest, first,
            writer == nullptr ? "was not written in this frame"
                              : fmt::format("was last written by {}", emu::to_string(writer->author))));
    if (writer != nullptr)
      f.related = {place_of(o.subject.block, writer->author.step, writer->author.entry).name};
  }
}

void run_drift(const Observation& o, Findings& out) {
  if (o.previous_positions.empty()) return;
  const PositionRegion& region = o.region;
  const Bytes now = o.machine.block().subspan(region.begin, region.end - region.begin);
  std::vector<std::uint32_t> slots;
  for (std::uint32_t at = 0;
       at + vertex_stride <= now.size() && at + vertex_stride <= o.previous_positions.size();
       at += vertex_stride) {
    const Bytes a = now.subspan(at, vertex_stride), b = o.previous_positions.subspan(at, vertex_stride);
    if (!std::equal(a.begin(), a.end(), b.begin())) slots.push_back(at / vertex_stride);
  }
  if (slots.empty()) return;
  const std::uint32_t begin = region.begin + slots.front() * vertex_stride;
  out.add("GPL / submesh 0 / positions", begin, begin + vertex_stride,
          fmt::format("{} slots differ from the frame before, which had the same pose: {}", slots.size(),
                      ranges(slots)));
}

void run_saturate(const Observation& o, Findings& out) {
  for (const WrongVertices& e : o.extremes.saturated) {
    const Place place = place_of(o.subject.block, e.step, e.entry);
    Finding& f = out.add(place.name, place.begin, place.end,
                         fmt::format("{} vertices have a component at the end of s16: {}", e.vertices.size(),
                                     ranges(e.vertices)));
    const std::uint8_t shift = o.subject.block.skinned_positions()->header.quantization.shift();
    if (shift != 0)
      f.fix =
          fmt::format("use shift {} instead of {}: half the precision, twice the range", shift - 1, shift);
    if (o.pose.invented) {
      f.severity = Severity::note;
      f.consequence = "in a random pose; whether an animation of the game goes that far is not known";
    }
  }
}

void run_nan(const Observation& o, Findings& out) {
  for (const WrongVertices& e : o.extremes.nan) {
    const Place place = place_of(o.subject.block, e.step, e.entry);
    out.add(place.name, place.begin, place.end,
            fmt::format("{} vertices are no numbers: {}", e.vertices.size(), ranges(e.vertices)));
  }
}

namespace {

/// What following this value does. Not called for a pointer that still is what it should be.
void describe_followed(const DrawPointer& pointer, std::uint32_t value, bool mapped, Finding& f) {
  if (value == 0 && !pointer.required) {
    f.severity = Severity::corrupt;
    f.consequence = "the part counts as absent and is not drawn";
  } else if (pointer.reader == DrawReader::list) {
    f.severity = mapped ? Severity::corrupt : Severity::crash;
    f.consequence = fmt::format(
        "the graphics processor takes the bytes at {:#010x}{} for commands: stray triangles, or it stops",
        value,
        !mapped                   ? ", where no memory is,"
        : value % cache_line != 0 ? ", off a 32-byte boundary,"
                                  : "");
  } else if (mapped) {
    f.severity = Severity::corrupt;
    f.consequence = "the submesh is drawn from foreign bytes";
  } else if (pointer.reader == DrawReader::array) {
    f.dolphin_line = value == 0 ? std::string(draw_null_line)
                                : fmt::format("Invalid read from {:#010x}, PC = 0x8052ec90", value);
  } else {
    f.consequence =
        "the draw walk FUN_8052e99c reads there; at which instruction, and so Dolphin's PC, is not known";
    f.dolphin_line = fmt::format("Invalid read from {:#010x}", value);
  }
}

/// As loaded, before any frame: pointers that are null or lead nowhere.
void report_loaded_pointers(const Observation& o, Findings& out) {
  for (const DrawPointer& pointer : draw_pointers(o.subject.block)) {
    const auto value = load_be<std::uint32_t>(o.loaded.data() + pointer.at);
    const bool mapped = o.machine.memory().cpu(value, 4) != nullptr;
    if (mapped) continue;
    Finding& f =
        out.add(pointer.structure, pointer.at, pointer.at + 4,
                value == 0 ? "its pointer is null in the file"
                           : fmt::format("its pointer {:#010x} in the file becomes the address {:#010x}",
                                         load_be<std::uint32_t>(o.subject.bytes.data() + pointer.at), value));
    describe_followed(pointer, value, mapped, f);
    f.fix = fmt::format(
        "point the field at {:#x} at the structure, in bytes from its layout (submesh table: from GPL)",
        pointer.at);
  }
}

}  // namespace

void run_draw(const Observation& o, Findings& out) {
  if (o.first) report_loaded_pointers(o, out);
  if (o.strays.empty()) return;
  for (const DrawPointer& pointer : draw_pointers(o.subject.block)) {
    const auto writer = std::find_if(o.strays.rbegin(), o.strays.rend(), [&](const Stray& s) {
      return s.begin < pointer.at + 4 && pointer.at < s.end;
    });
    if (writer == o.strays.rend()) continue;
    const auto before = load_be<std::uint32_t>(o.loaded.data() + pointer.at),
               now = load_be<std::uint32_t>(o.machine.block().data() + pointer.at);
    if (before == now) continue;
    Finding& f = out.add(pointer.structure, pointer.at, pointer.at + 4,
                         fmt::format("{} turns its pointer {:#010x} into {:#010x}",
                                     emu::to_string(writer->author), before, now));
    f.related = {place_of(o.subject.block, writer->author.step, writer->author.entry).name};
    if (is_harmless_clear(o, writer->author, pointer.at)) {
      f.severity = Severity::note;
      f.consequence = harmless_clear;
    } else {
      describe_followed(pointer, now, o.machine.memory().cpu(now, 4) != nullptr, f);
    }
    f.fix = fmt::format("move {} out of the way of {}", pointer.structure, emu::to_string(writer->author));
  }
}

}  // namespace rule_checks
}  // namespace lockline::harness
