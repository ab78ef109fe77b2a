#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/first_paint.hpp"
#include "harness/rule.hpp"
#include "harness/slots.hpp"

/// Rules about where entries read and write. Source: rules.md "Static, SKN".
namespace lockline::harness::rule_checks {
namespace {

constexpr std::uint32_t sk1_vanilla_bytes = 8180, sk1_buffer_bytes = 8192;
constexpr std::uint32_t sk2_vanilla_bytes = 4088, sk2_buffer_bytes = 4096;
constexpr std::uint32_t min_vertices = 3;

std::string entry_name(const DirectEntry& e) {
  return "SKN / " + e.name();
}

Finding& add_entry(Findings& out, const DirectEntry& e, std::string cause) {
  return out.add(entry_name(e), e.at, e.at + e.struct_bytes(), std::move(cause));
}

/// Vertices of the first part when an entry is split to stay within `limit` bytes, the second part starting a
/// line; both parts have the 3 vertices they need.
std::uint32_t split_point(const DirectEntry& e, std::uint32_t limit) {
  std::uint32_t first = (limit - std::min(limit, e.vertex_offset)) / vertex_stride;
  const auto fits = [&] {
    return (e.first_vertex() + first * vertex_stride) % cache_line == 0 && first + min_vertices <= e.count;
  };
  while (first > min_vertices && !fits()) --first;
  return first;
}

std::string split_fix(const DirectEntry& e, std::uint32_t limit) {
  const std::uint32_t first = split_point(e, limit);
  return fmt::format("split {} after vertex {}: the second part ({} vertices) starts at the line +{:#x}",
                     e.name(), first - 1, e.count - first, e.first_vertex() + first * vertex_stride);
}

void check_size(const Subject& subject, Findings& out, bool sk1, std::uint32_t vanilla,
                std::uint32_t buffer) {
  for (const DirectEntry& e : subject.entries) {
    if (e.is_sk1 != sk1 || e.bytes() <= vanilla) continue;
    const auto sum =
        fmt::format("vertexOffset {} + {} vertices x 12 = {} bytes", e.vertex_offset, e.count, e.bytes());
    if (e.bytes() > buffer) {
      Finding& f = add_entry(out, e, fmt::format("{}, over the {}-byte locked cache buffer", sum, buffer));
      f.related = {"GPL / submesh 0 / positions"};
      for (const DirectEntry& other : subject.entries) {
        const bool neighbour = other.index + 1 == e.index || other.index == e.index + 1;
        if (neighbour && other.is_sk1 == sk1) f.related.push_back(entry_name(other));
      }
      f.fix = split_fix(e, vanilla);
    } else {
      Finding& f = add_entry(out, e, fmt::format("{}, over the vanilla maximum of {}", sum, vanilla));
      f.severity = Severity::risk;
      f.consequence = fmt::format(
          "vanilla never does this; in the emulation it runs cleanly, since the buffer holds {} bytes",
          buffer);
      f.fix = split_fix(e, vanilla);
    }
  }
}

}  // namespace

void skn_count_min(const Subject& subject, Findings& out) {
  for (const DirectEntry& e : subject.entries) {
    if (e.count >= min_vertices) continue;
    Finding& f = add_entry(out, e,
                           fmt::format("{} has {} {}, the smallest vanilla entry has 3", e.name(), e.count,
                                       e.count == 1 ? "vertex" : "vertices"));
    if (e.count == 2) {
      f.severity = Severity::risk;
      f.consequence =
          "vanilla never does this; in the emulation the loop makes one pass and returns normally";
    }
    f.fix = e.count == 0 ? fmt::format("remove {} from the array, or give it at least 3 vertices", e.name())
                         : fmt::format("pad {} to 3 vertices by repeating its first vertex into unused slots",
                                       e.name());
  }
}

void skn_count_acc_zero(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  const auto& entries = subject.block.skn->acc;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].count != 0) continue;
    out.add(fmt::format("SKN / SKAcc[{}]", i), entries[i].at, entries[i].at + SkAccEntry::bytes,
            fmt::format("SKAcc[{}] has no vertices", i))
        .fix = fmt::format("remove SKAcc[{}] from the array", i);
  }
}

void skn_size_sk1(const Subject& subject, Findings& out) {
  check_size(subject, out, true, sk1_vanilla_bytes, sk1_buffer_bytes);
}

void skn_size_sk2(const Subject& subject, Findings& out) {
  check_size(subject, out, false, sk2_vanilla_bytes, sk2_buffer_bytes);
}

void skn_size_acc(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  constexpr std::uint32_t source_limit = 4096, index_limit = 2048;
  const auto& entries = subject.block.skn->acc;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint32_t count = entries[i].count;
    if (count * vertex_stride <= source_limit && count * 2 <= index_limit) continue;
    out.add(fmt::format("SKN / SKAcc[{}]", i), entries[i].at, entries[i].at + SkAccEntry::bytes,
            fmt::format("SKAcc[{}] has {} vertices: {} source bytes, the buffer holds 4096 (341 vertices)", i,
                        count, count * vertex_stride))
        .fix = fmt::format("split SKAcc[{}] into {} entries of at most 341 vertices", i, (count + 340) / 341);
  }
}

void skn_align_dest(const Subject& subject, Findings& out) {
  const PositionArray* positions = subject.block.skinned_positions();
  const auto& entries = subject.entries;
  if (positions != nullptr && !entries.empty() && positions->data_at % cache_line != 0) {
    const auto end = static_cast<std::uint32_t>(positions->data_at + size(positions->values) * 2);
    Finding& f =
        out.add("GPL / submesh 0 / positions", positions->data_at, end,
                fmt::format("the position data starts at {:#x}, {} bytes past a 32-byte boundary: every "
                            "write-back is displaced",
                            positions->data_at, positions->data_at % cache_line));
    f.related = {"SKN"};
    f.fix =
        fmt::format("move the position data of submesh 0 to {:#x}", align_up(positions->data_at, cache_line));
  }
  for (const DirectEntry& e : entries) {
    if (e.destination % cache_line == 0) continue;
    const std::uint32_t line = e.destination / cache_line * cache_line;
    Finding& f = add_entry(out, e,
                           fmt::format("{} writes to +{:#x}, {} bytes past a 32-byte boundary", e.name(),
                                       e.destination, e.destination % cache_line));
    f.fix = fmt::format("set gplVertexArr to {:#x} and vertexOffset to the first whole vertex of that line",
                        line);
  }
}

void skn_offset(const Subject& subject, Findings& out) {
  for (const DirectEntry& e : subject.entries) {
    const auto fitting =
        static_cast<std::uint32_t>((vertex_stride - e.destination % vertex_stride) % vertex_stride);
    if (e.vertex_offset < vertex_stride && e.first_vertex() % vertex_stride == 0) continue;
    add_entry(out, e,
              fmt::format("{}: vertexOffset {} at +{:#x} is no whole vertex", e.name(), e.vertex_offset,
                          e.destination))
        .fix = fmt::format("set vertexOffset to {}", fitting);
  }
}

void skn_exclusive(const Subject& subject, Findings& out) {
  auto entries = subject.entries;
  std::erase_if(entries, [](const DirectEntry& e) { return e.bytes() == 0; });
  std::stable_sort(entries.begin(), entries.end(),
                   [](const DirectEntry& a, const DirectEntry& b) { return a.destination < b.destination; });
  std::size_t furthest = 0;  // of the entries before i, the one written back to the highest line
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i - 1].write_back_end() > entries[furthest].write_back_end()) furthest = i - 1;
    const DirectEntry& before = entries[furthest];
    const DirectEntry& e = entries[i];
    const std::uint32_t first_line = e.destination / cache_line * cache_line;
    if (before.write_back_end() <= first_line) continue;
    Finding& f = add_entry(
        out, e,
        fmt::format("{} and {} share the line at +{:#x} of the position data ({} ends at +{:#x}, its "
                    "write-back at +{:#x})",
                    before.name(), e.name(), first_line, before.name(), before.vertices_end(),
                    before.write_back_end()));
    f.related = {entry_name(before)};
    if (before.vertices_end() > e.first_vertex())
      f.opinion = {Agreement::not_shown,
                   "both entries name the same slots, and what the later one writes stands"};
    f.fix = fmt::format("start {} at the next free line, +{:#x}, and move its vertices there", e.name(),
                        align_up(before.write_back_end(), cache_line));
  }
}

void skn_acc_exclusive(const Subject& subject, Findings& out) {
  const auto slots = subject.slots.accumulation_only();
  if (slots.empty()) return;
  const auto line_of = [](std::uint64_t offset) { return offset / cache_line; };
  FirstPaint lines(static_cast<std::uint32_t>(line_of((slots.back() + 1ULL) * vertex_stride - 1)) + 1);
  for (std::size_t i = 0; i < subject.entries.size(); ++i) {
    const DirectEntry& e = subject.entries[i];
    if (e.bytes() != 0)
      lines.paint(line_of(e.destination), (e.write_back_end() + cache_line - 1) / cache_line,
                  static_cast<std::int32_t>(i));
  }
  for (const std::uint32_t slot : slots) {
    const std::uint64_t begin = std::uint64_t{slot} * vertex_stride;
    const std::int32_t first = lines.values()[line_of(begin)],
                       last = lines.values()[line_of(begin + vertex_stride - 1)];
    if (first < 0 && last < 0) continue;
    const DirectEntry& e = subject.entries[static_cast<std::size_t>(first < 0  ? last
                                                                    : last < 0 ? first
                                                                               : std::min(first, last))];
    const std::uint32_t acc = subject.slots.first_accumulator(slot);
    const SkAccEntry& entry = subject.block.skn->acc[acc];
    Finding& f = out.add(
        fmt::format("SKN / SKAcc[{}]", acc), entry.at, entry.at + SkAccEntry::bytes,
        fmt::format("slot {} (+{:#x}) is summed by SKAcc only, but lies on a line that {} writes back", slot,
                    begin, e.name()));
    f.related = {entry_name(e)};
    f.fix = fmt::format("move slot {} to a line of its own, with the other accumulation-only slots", slot);
  }
}

void skn_acc_sk1(const Subject& subject, Findings& out) {
  const SlotTable& slots = subject.slots;
  for (const DirectEntry& e : subject.entries) {
    if (!e.is_sk1) continue;
    const auto supplemented = slots.supplemented(e);
    if (supplemented.empty()) continue;
    add_entry(out, e,
              fmt::format("{} of its {} vertices get an SKAcc supplement, the first at slot {}",
                          supplemented.size(), e.count, supplemented.front()))
        .fix = "make the vertices an SK2 pair";
  }
}

void skn_acc_base(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  const auto& entries = subject.block.skn->acc;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].destination == 0) continue;
    out.add(fmt::format("SKN / SKAcc[{}]", i), entries[i].at, entries[i].at + SkAccEntry::bytes,
            fmt::format("gplDestArr is {:#x}", entries[i].destination))
        .fix = "set gplDestArr to 0 and write absolute slot numbers into the index array";
  }
}

void skn_order(const Subject& subject, Findings& out) {
  const auto& entries = subject.entries;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].is_sk1 != entries[i - 1].is_sk1 || entries[i].destination >= entries[i - 1].destination)
      continue;
    add_entry(out, entries[i],
              fmt::format("{} writes to +{:#x}, before {} at +{:#x}", entries[i].name(),
                          entries[i].destination, entries[i - 1].name(), entries[i - 1].destination))
        .fix = fmt::format("exchange the {}-byte structures of {} and {}", entries[i].struct_bytes(),
                           entries[i - 1].name(), entries[i].name());
  }
}

void skn_mirror(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  const Skn& skn = *subject.block.skn;
  const bool facial = subject.facial.any;
  const std::uint32_t base = skn.variable_data_offset();
  for (const DirectEntry& e : subject.entries) {
    const std::uint32_t mirrored = base + e.destination;
    if (e.source == mirrored) continue;
    const std::int64_t off = std::int64_t{e.source} - mirrored;
    Finding& f =
        add_entry(out, e,
                  fmt::format("{} reads its source at {:#x}, the mirror is at {:#x} ({} bytes {})", e.name(),
                              e.source, mirrored, off < 0 ? -off : off, off < 0 ? "early" : "late"));
    f.fix = fmt::format("move the source to {:#x} (VAR_DATA_OFF {:#x} + gplVertexArr {:#x})", mirrored, base,
                        e.destination);
    if (!facial) {
      f.severity = Severity::risk;
      f.consequence =
          "no vanilla model does this; without facial poses on the skin the emulation runs cleanly";
    }
  }
}

}  // namespace lockline::harness::rule_checks
