#include "corpus/skin_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "formats/view.hpp"

namespace lockline::corpus {
namespace {

constexpr std::uint32_t max_slots = 65535;  // the position array's count is a u16
constexpr std::size_t max_entries = 65535;  // so are the entry counts

/// Consecutive slots written the same way: one SK1 / SK2 entry, or a run that has none.
struct Part {
  RunKind kind = RunKind::sk1;
  std::uint16_t bone1 = 0, bone2 = 0;
  std::uint32_t slot = 0;
  std::vector<std::uint32_t> vertices;  ///< slot + i holds vertices[i]

  bool direct() const { return kind == RunKind::sk1 || kind == RunKind::sk2; }
  std::uint32_t destination() const { return slot * vertex_stride / cache_line * cache_line; }
  std::uint8_t vertex_offset() const {
    return static_cast<std::uint8_t>(slot * vertex_stride - destination());
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(vertices.size()); }
  std::uint32_t end() const { return (slot + count()) * vertex_stride; }
};

/// One SKAcc record.
struct Supplement {
  std::uint16_t bone = 0;
  std::uint32_t slot = 0;
  std::uint8_t weight = 0;
  SkinVertex bind{};
};

std::uint32_t first_slot_from_line(std::uint32_t line) {
  return (line * cache_line + vertex_stride - 1) / vertex_stride;
}

std::uint32_t lines_to(std::uint32_t slot) {
  return align_up(slot * vertex_stride, cache_line) / cache_line;
}

/// How many of `remaining` vertices an entry starting at `slot` takes: all, or up to a vertex that starts a
/// cache line.
std::uint32_t fitting(std::uint32_t slot, std::uint32_t remaining, std::uint32_t limit) {
  constexpr std::uint32_t slots_per_period = 8;  // 8 x 12 bytes = 3 lines: every eighth vertex starts one
  const std::uint32_t offset = slot * vertex_stride % cache_line;
  const std::uint32_t capacity = std::max(limit - std::min(limit, offset), vertex_stride) / vertex_stride;
  if (remaining <= capacity) return remaining;
  const std::uint32_t beyond = (slot + capacity) % slots_per_period;
  return beyond < capacity ? capacity - beyond : capacity;
}

std::uint32_t byte_limit(RunKind kind, const LayoutOptions& options) {
  if (kind == RunKind::sk1) return options.sk1_bytes;
  if (kind == RunKind::sk2) return options.sk2_bytes;
  return 0xFFFFFFFF;
}

/// Cuts one run into parts from `slot` on; returns the slot after the last.
std::uint32_t cut(const Run& run, std::uint32_t slot, const LayoutOptions& options,
                  std::vector<Part>& parts) {
  std::size_t done = 0;
  do {
    const auto remaining = static_cast<std::uint32_t>(run.vertices.size() - done);
    const auto taken = fitting(slot, remaining, byte_limit(run.kind, options));
    const auto first = run.vertices.begin() + static_cast<std::ptrdiff_t>(done);
    Part part{run.kind, run.bone1, run.bone2, slot, {first, first + taken}};
    while (part.direct() && !part.vertices.empty() && part.count() < options.minimum)
      part.vertices.push_back(part.vertices.front());
    slot += part.count();
    done += taken;
    parts.push_back(std::move(part));
  } while (done < run.vertices.size());
  return slot;
}

std::vector<Part> place_runs(std::span<const Run> runs, const LayoutOptions& options) {
  std::vector<Part> parts;
  std::uint32_t slot = 0, hole = 0;
  for (const Run& run : runs) {
    if (options.own_lines || hole != 0) slot = first_slot_from_line(lines_to(slot) + hole);
    slot = cut(run, slot, options, parts);
    hole = run.hole;
    if (slot > max_slots) break;
  }
  return parts;
}

Error too_large(std::string message) {
  return {ErrorCode::too_large, 0, "skin layout", std::move(message)};
}

Error bad(std::string message) {
  return {ErrorCode::bad_value, 0, "skin layout", std::move(message)};
}

/// The weight bytes of the part's own bones for a vertex, and the rest as supplements.
tl::expected<std::array<std::uint8_t, 2>, Error> split_weights(const Part& part, std::uint32_t slot,
                                                               const WeightedVertex& vertex,
                                                               std::vector<Supplement>& supplements) {
  std::array<std::uint8_t, 2> own{};
  std::array<bool, 2> taken{part.kind == RunKind::accumulated, part.kind != RunKind::sk2};
  for (const auto [bone, weight] : vertex.weights) {
    const bool first = !taken[0] && bone == part.bone1;
    const bool second = !first && !taken[1] && bone == part.bone2;
    if (first && part.kind == RunKind::sk1) {
      taken[0] = true;
      continue;
    }
    if (weight > 255) return tl::unexpected(bad(fmt::format("weight {} does not fit a byte", weight)));
    const auto byte = static_cast<std::uint8_t>(weight);
    if (first || second) {
      own[second ? 1 : 0] = byte;
      taken[second ? 1 : 0] = true;
    } else {
      supplements.push_back({bone, slot, byte, vertex.bind});
    }
  }
  return own;
}

std::vector<std::uint8_t> prefix_of(const Part& part, const std::vector<SkinVertex>& positions) {
  std::vector<std::uint8_t> prefix(part.vertex_offset());
  for (std::uint32_t i = 0; i + 1 < prefix.size(); i += 2) {
    const std::uint32_t at = part.destination() + i;
    store_be(&prefix[i], positions[at / vertex_stride][at % vertex_stride / 2]);
  }
  return prefix;
}

template <class Entry>
void fill(Entry& entry, const Part& part, const SkinLayout& layout) {
  entry.destination = part.destination();
  entry.vertex_offset = part.vertex_offset();
  entry.count = static_cast<std::uint16_t>(part.count());
  entry.prefix = prefix_of(part, layout.positions);
  const auto first = layout.positions.begin() + part.slot;
  entry.vertices.assign(first, first + part.count());
}

void add_entry(const Part& part, std::vector<std::array<std::uint8_t, 2>> weights, SkinLayout& layout) {
  if (part.kind == RunKind::sk1) {
    Sk1Entry& entry = layout.skn.sk1.emplace_back();
    entry.bone = part.bone1;
    fill(entry, part, layout);
  } else {
    Sk2Entry& entry = layout.skn.sk2.emplace_back();
    entry.bone1 = part.bone1;
    entry.bone2 = part.bone2;
    entry.weights = std::move(weights);
    fill(entry, part, layout);
  }
  layout.direct_end = std::max(layout.direct_end, align_up(part.end(), cache_line));
}

SkAccEntry acc_entry(std::uint16_t bone, std::span<const Supplement> supplements) {
  SkAccEntry entry;
  entry.bone = bone;
  entry.count = static_cast<std::uint16_t>(supplements.size());
  for (const Supplement& s : supplements) {
    entry.vertices.push_back(s.bind);
    entry.indices.push_back(static_cast<std::uint16_t>(s.slot));
    entry.weights.push_back(s.weight);
  }
  return entry;
}

std::vector<SkAccEntry> acc_entries(const std::vector<Supplement>& supplements,
                                    const LayoutOptions& options) {
  std::map<std::uint16_t, std::vector<Supplement>> by_bone;
  std::vector<std::uint16_t> bones;
  for (const Supplement& s : supplements) {
    if (!by_bone.contains(s.bone)) bones.push_back(s.bone);
    by_bone[s.bone].push_back(s);
  }
  if (options.sort_acc) std::sort(bones.begin(), bones.end());
  std::vector<SkAccEntry> entries;
  for (const std::uint16_t bone : bones) {
    std::span<const Supplement> rest = by_bone[bone];
    while (!rest.empty()) {
      const std::size_t taken = std::min<std::size_t>(rest.size(), options.acc_vertices);
      entries.push_back(acc_entry(bone, rest.first(taken)));
      rest = rest.subspan(taken);
    }
  }
  return entries;
}

/// memClrPtr = the lowest accumulation-only slot, memClrSize = align32(highest + stride - memClrPtr); 0/0
/// without any.
void set_memclr(const std::vector<Part>& parts, Skn& skn) {
  std::uint32_t low = 0xFFFFFFFF, high = 0;
  for (const Part& part : parts) {
    if (part.kind != RunKind::accumulated || part.count() == 0) continue;
    low = std::min(low, part.slot * vertex_stride);
    high = std::max(high, part.end());
  }
  if (high == 0) return;
  skn.memclr_pointer = low;
  skn.memclr_size = align_up(high - low, cache_line);
}

/// The first vertex that starts in each line an SKAcc write touches; lines wholly inside memClr need none.
void set_flush(Skn& skn) {
  std::vector<std::uint32_t> lines;
  for (const SkAccEntry& entry : skn.acc) {
    for (const std::uint32_t slot : entry.indices) {
      for (const std::uint32_t byte : {slot * vertex_stride, slot * vertex_stride + vertex_stride - 1})
        lines.push_back(byte / cache_line);
    }
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  const std::uint32_t cleared_end = skn.memclr_pointer + skn.memclr_size;
  for (const std::uint32_t line : lines) {
    const bool cleared = line * cache_line >= skn.memclr_pointer && (line + 1) * cache_line <= cleared_end;
    if (!cleared) skn.flush.push_back(static_cast<std::uint16_t>(first_slot_from_line(line)));
  }
  skn.flush_count = static_cast<std::uint32_t>(skn.flush.size());
}

/// Gives an array of `bytes` its 32-byte aligned place and moves the cursor past it.
std::uint32_t take(std::uint32_t& cursor, std::size_t bytes) {
  return std::exchange(cursor, align_up(cursor + static_cast<std::uint32_t>(bytes), cache_line));
}

template <class Entries>
std::uint32_t take_entries(std::uint32_t& cursor, const Entries& entries, std::uint32_t gap) {
  if (entries.empty()) return 0;
  const auto bytes = static_cast<std::uint32_t>(entries.size()) * Entries::value_type::bytes;
  return std::exchange(cursor, cursor + bytes + gap);
}

void set_pointers(SkinLayout& layout, const LayoutOptions& options) {
  Skn& skn = layout.skn;
  skn.sk1_count = static_cast<std::uint16_t>(skn.sk1.size());
  skn.sk2_count = static_cast<std::uint16_t>(skn.sk2.size());
  skn.acc_count = static_cast<std::uint16_t>(skn.acc.size());
  std::uint32_t cursor = Skn::header_bytes;
  skn.sk1_pointer = take_entries(cursor, skn.sk1, options.array_gap);
  skn.sk2_pointer = take_entries(cursor, skn.sk2, options.array_gap);
  skn.acc_pointer = take_entries(cursor, skn.acc, 0);
  const std::uint32_t mirror = align_up(cursor, cache_line) + options.source_gap;
  for (Sk1Entry& entry : skn.sk1) entry.source = mirror + entry.destination;
  for (Sk2Entry& entry : skn.sk2) entry.source = mirror + entry.destination;
  cursor = mirror + layout.direct_end + options.tail_gap;
  if (!skn.flush.empty()) skn.flush_pointer = take(cursor, skn.flush.size() * 2);
  for (Sk2Entry& entry : skn.sk2) entry.weights_pointer = take(cursor, entry.weights.size() * 2);
  for (SkAccEntry& entry : skn.acc) {
    entry.source = take(cursor, entry.vertices.size() * vertex_stride);
    entry.indices_pointer = take(cursor, entry.indices.size() * 2);
    entry.weights_pointer = take(cursor, entry.weights.size());
  }
  skn.size = cursor;
}

tl::expected<void, Error> check_counts(const Skn& skn) {
  if (std::max({skn.sk1.size(), skn.sk2.size(), skn.acc.size()}) <= max_entries) return {};
  return tl::unexpected(too_large("more than 65,535 entries of a kind"));
}

std::uint32_t last_write(const SkinLayout& layout) {
  std::uint32_t end = std::max(layout.direct_end, layout.skn.memclr_pointer + layout.skn.memclr_size);
  for (const SkAccEntry& entry : layout.skn.acc)
    for (const std::uint32_t slot : entry.indices) end = std::max(end, (slot + 1) * vertex_stride);
  return end;
}

/// Fills positions and slots; an error when a run names a vertex that does not exist or the slots run out.
tl::expected<void, Error> fill_slots(std::span<const WeightedVertex> vertices, const std::vector<Part>& parts,
                                     SkinLayout& layout) {
  layout.slots.assign(vertices.size(), SkinLayout::no_slot);
  for (const Part& part : parts) {
    if (part.slot + part.count() > max_slots) return tl::unexpected(too_large("more than 65,535 slots"));
    layout.positions.resize(part.slot + part.count());
    for (std::uint32_t i = 0; i < part.count(); ++i) {
      const std::uint32_t vertex = part.vertices[i];
      if (vertex >= vertices.size()) return tl::unexpected(bad(fmt::format("no vertex {}", vertex)));
      layout.positions[part.slot + i] = vertices[vertex].bind;
      layout.slots[vertex] = std::min(layout.slots[vertex], part.slot + i);
    }
  }
  return {};
}

}  // namespace

std::vector<BoneWeight> quantize_weights(std::span<const BoneShare> shares) {
  std::map<std::uint16_t, double> merged;
  double total = 0;
  for (const auto [bone, share] : shares) {
    if (!(share > 0) || !std::isfinite(share)) continue;
    merged[bone] += share;
    total += share;
  }
  struct Part256 {
    BoneWeight floor;
    double remainder = 0;
  };
  std::vector<Part256> parts;
  std::uint32_t missing = 256;
  for (const auto& [bone, share] : merged) {
    const double exact = share * 256 / total;
    const auto whole = static_cast<std::uint16_t>(exact);
    parts.push_back({{bone, whole}, exact - whole});
    missing -= whole;
  }
  std::vector<std::size_t> order(parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a].remainder > parts[b].remainder; });
  for (std::size_t i = 0; i < order.size() && missing != 0; ++i, --missing) ++parts[order[i]].floor.weight;
  std::vector<BoneWeight> result;
  for (const Part256& part : parts)
    if (part.floor.weight != 0) result.push_back(part.floor);
  return result;
}

std::vector<Run> canonical_runs(std::span<const WeightedVertex> vertices) {
  std::map<std::tuple<RunKind, std::uint16_t, std::uint16_t>, Run> runs;
  for (std::uint32_t i = 0; i < vertices.size(); ++i) {
    std::vector<BoneWeight> heaviest = vertices[i].weights;
    std::erase_if(heaviest, [](BoneWeight w) { return w.weight == 0; });
    if (heaviest.empty()) continue;
    std::sort(heaviest.begin(), heaviest.end(), [](BoneWeight a, BoneWeight b) {
      return std::tuple(-a.weight, a.bone) < std::tuple(-b.weight, b.bone);
    });
    Run key{RunKind::sk1, heaviest[0].bone, 0, {}, 0};
    if (heaviest.size() > 1) {
      key.kind = RunKind::sk2;
      std::tie(key.bone1, key.bone2) = std::minmax(heaviest[0].bone, heaviest[1].bone);
    }
    runs.try_emplace({key.kind, key.bone1, key.bone2}, key).first->second.vertices.push_back(i);
  }
  std::vector<Run> result;
  result.reserve(runs.size());
  for (auto& [key, run] : runs) result.push_back(std::move(run));
  return result;
}

Expected<SkinLayout> lay_out(std::span<const WeightedVertex> vertices, std::span<const Run> runs,
                             const LayoutOptions& options) {
  const std::vector<Part> parts = place_runs(runs, options);
  SkinLayout layout;
  if (auto filled = fill_slots(vertices, parts, layout); !filled) return tl::unexpected(filled.error());
  std::vector<Supplement> supplements;
  for (const Part& part : parts) {
    if (part.kind == RunKind::unwritten) continue;
    std::vector<std::array<std::uint8_t, 2>> weights;
    for (std::uint32_t i = 0; i < part.count(); ++i) {
      auto own = split_weights(part, part.slot + i, vertices[part.vertices[i]], supplements);
      if (!own) return tl::unexpected(own.error());
      weights.push_back(*own);
    }
    if (part.direct()) add_entry(part, std::move(weights), layout);
  }
  layout.skn.acc = acc_entries(supplements, options);
  if (auto fits = check_counts(layout.skn); !fits) return tl::unexpected(fits.error());
  set_memclr(parts, layout.skn);
  set_flush(layout.skn);
  set_pointers(layout, options);
  layout.write_end = last_write(layout);
  place(layout.skn, 0);
  return layout;
}

void place(Skn& skn, std::uint32_t at) {
  skn.at = at;
  skn.flush_at = skn.flush_pointer == 0 ? 0 : at + skn.flush_pointer;
  const auto place_entries = [at](auto& entries, std::uint32_t pointer) {
    for (auto& entry : entries) {
      entry.at = at + pointer;
      entry.source_at = at + entry.source;
      pointer += entry.bytes;
    }
  };
  place_entries(skn.sk1, skn.sk1_pointer);
  place_entries(skn.sk2, skn.sk2_pointer);
  place_entries(skn.acc, skn.acc_pointer);
  for (Sk2Entry& entry : skn.sk2) entry.weights_at = at + entry.weights_pointer;
  for (SkAccEntry& entry : skn.acc) {
    entry.indices_at = at + entry.indices_pointer;
    entry.weights_at = at + entry.weights_pointer;
  }
}

}  // namespace lockline::corpus
