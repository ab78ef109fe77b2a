#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/rule.hpp"
#include "harness/slots.hpp"

/// Rules about what entries hold: arrays, weights, memClr, flush, bones. Source: rules.md "Static, SKN".
namespace lockline::harness::rule_checks {
namespace {

/// One of the section's variable arrays, SKN-relative.
struct VariableArray {
  std::string name;            ///< "SKN / SK2[1] / weights"
  std::uint32_t field_at = 0;  ///< block offset of the entry that names it
  std::uint32_t field_end = 0;
  std::uint32_t pointer = 0;
  std::uint64_t bytes = 0;
  Severity outside = Severity::corrupt;  ///< when it lies outside the block
};

std::vector<VariableArray> variable_arrays(const Skn& skn) {
  std::vector<VariableArray> out;
  const auto add = [&](std::string name, std::uint32_t at, std::uint32_t entry_bytes, std::uint32_t pointer,
                       std::uint64_t bytes) {
    if (bytes != 0) out.push_back({std::move(name), at, at + entry_bytes, pointer, bytes});
  };
  for (std::size_t i = 0; i < skn.sk1.size(); ++i) {
    const Sk1Entry& e = skn.sk1[i];
    add(fmt::format("SKN / SK1[{}] / source", i), e.at, Sk1Entry::bytes, e.source,
        e.vertex_offset + e.count * 12ULL);
  }
  for (std::size_t i = 0; i < skn.sk2.size(); ++i) {
    const Sk2Entry& e = skn.sk2[i];
    add(fmt::format("SKN / SK2[{}] / source", i), e.at, Sk2Entry::bytes, e.source,
        e.vertex_offset + e.count * 12ULL);
    add(fmt::format("SKN / SK2[{}] / weights", i), e.at, Sk2Entry::bytes, e.weights_pointer, e.count * 2ULL);
  }
  for (std::size_t i = 0; i < skn.acc.size(); ++i) {
    const SkAccEntry& e = skn.acc[i];
    add(fmt::format("SKN / SKAcc[{}] / source", i), e.at, SkAccEntry::bytes, e.source, e.count * 12ULL);
    add(fmt::format("SKN / SKAcc[{}] / indices", i), e.at, SkAccEntry::bytes, e.indices_pointer,
        e.count * 2ULL);
    add(fmt::format("SKN / SKAcc[{}] / weights", i), e.at, SkAccEntry::bytes, e.weights_pointer, e.count);
  }
  add("SKN / flush", skn.at, Skn::header_bytes, skn.flush_pointer, skn.flush_count * 2ULL);
  for (VariableArray& a : out) {
    // Foreign slot numbers send sums anywhere in memory; foreign flush numbers only flush other lines.
    if (a.name.ends_with("indices")) a.outside = Severity::crash;
    if (a.name.ends_with("flush")) a.outside = Severity::risk;
  }
  return out;
}

std::string acc_name(std::uint32_t entry) {
  return fmt::format("SKN / SKAcc[{}]", entry);
}

/// memClr as the accumulation-only slots demand it: offset and size, both 0 when there are none.
struct MemClrRange {
  std::uint64_t begin = 0, size = 0;
  std::uint64_t end() const { return begin + size; }
  /// What dcbz clears: whole lines from the one `begin` lies in.
  std::uint64_t lines_begin() const { return begin / cache_line * cache_line; }
  std::uint64_t lines_end() const { return lines_begin() + align_up(size, cache_line); }
};

MemClrRange needed_memclr(const std::vector<std::uint32_t>& accumulation_only) {
  if (accumulation_only.empty()) return {};
  const std::uint64_t begin = std::uint64_t{accumulation_only.front()} * vertex_stride;
  const std::uint64_t end = (std::uint64_t{accumulation_only.back()} + 1) * vertex_stride;
  return {begin, align_up(end - begin, cache_line)};
}

Finding& add_header(const Skn& skn, Findings& out, std::string cause) {
  return out.add("SKN / header", skn.at, skn.at + Skn::header_bytes, std::move(cause));
}

/// Where sums that are not cleared show: the positions, and the entries that add to these slots.
std::vector<std::string> summed_places(const SlotTable& slots, const std::vector<std::uint32_t>& only) {
  std::vector<std::string> out{"GPL / submesh 0 / positions"};
  for (const std::uint32_t slot : only) {
    if (std::string name = acc_name(slots.first_accumulator(slot)); name != out.back())
      out.push_back(std::move(name));
  }
  return out;
}

/// A dcbz clears the line its address lies in, so an unaligned range ends early by whole lines.
void report_early_end(const Skn& skn, const MemClrRange& has, const SlotTable& slots,
                      const std::vector<std::uint32_t>& only, Findings& out) {
  if (only.empty()) return;
  const std::uint64_t cleared = has.lines_end(), last = (std::uint64_t{only.back()} + 1) * vertex_stride;
  if (cleared >= last) return;
  Finding& f = add_header(skn, out,
                          fmt::format("memClr starts {} bytes into its line, so clearing whole lines ends at "
                                      "+{:#x}, {} bytes short of slot {}'s end",
                                      has.begin % cache_line, cleared, last - cleared, only.back()));
  f.severity = Severity::risk;
  f.related = summed_places(slots, only);
  f.consequence =
      "the size is the one vanilla computes, and a plain store loop clears it all; by dcbz the slot's last "
      "components are "
      "summed up frame after frame";
  f.fix = fmt::format("set memClrSize to {:#x}, or start the accumulation-only slots on a line",
                      has.size + cache_line);
}

}  // namespace

void skn_align_array(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  for (const VariableArray& a : variable_arrays(*subject.block.skn)) {
    if (a.pointer % cache_line == 0) continue;
    Finding& f =
        out.add(a.name, a.field_at, a.field_end,
                fmt::format("the array starts at {:#x} of the section, {} bytes past a 32-byte boundary",
                            a.pointer, a.pointer % cache_line));
    if (a.name.ends_with("flush")) {
      f.severity = Severity::risk;
      f.consequence = "no vanilla model does this; no DMA reads this array";
    }
    f.fix = fmt::format("move it to a multiple of 32, the next is {:#x}", align_up(a.pointer, cache_line));
  }
}

void skn_bounds(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  const Skn& skn = *subject.block.skn;
  const struct {
    const char* name;
    std::uint32_t pointer, count, bytes;
  } tables[] = {{"SK1", skn.sk1_pointer, skn.sk1_count, Sk1Entry::bytes},
                {"SK2", skn.sk2_pointer, skn.sk2_count, Sk2Entry::bytes},
                {"SKAcc", skn.acc_pointer, skn.acc_count, SkAccEntry::bytes}};
  for (const auto& table : tables) {
    if (table.count == 0 || contains(skn.size, table.pointer, std::uint64_t{table.count} * table.bytes))
      continue;
    Finding& f =
        add_header(skn, out,
                   fmt::format("the {} array ({} entries at {:#x}) leaves the section of {:#x} bytes",
                               table.name, table.count, table.pointer, skn.size));
    f.severity = Severity::crash;
  }
  for (const VariableArray& a : variable_arrays(skn)) {
    if (contains(skn.size, a.pointer, a.bytes)) continue;
    const bool outside_block = !contains(subject.bytes.size(), std::uint64_t{skn.at} + a.pointer, a.bytes);
    Finding& f = out.add(a.name, a.field_at, a.field_end,
                         fmt::format("{} bytes at {:#x} leave the section of {:#x} bytes{}", a.bytes,
                                     a.pointer, skn.size, outside_block ? " and the block" : ""));
    if (outside_block) f.severity = a.outside;
    f.fix = fmt::format(
        "point it below {:#x}, at the {} bytes of the array, or append them and extend the section",
        skn.size - std::min<std::uint64_t>(a.bytes, skn.size), a.bytes);
  }
}

void skn_prefix(const Subject& subject, Findings& out) {
  const auto check = [&](const char* kind, const auto& entries, std::uint32_t bytes) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& prefix = entries[i].prefix;
      if (std::all_of(prefix.begin(), prefix.end(), [](std::uint8_t b) { return b == 0; })) continue;
      // A mirrored source repeats the position buffer, so the prefix may hold the tail of the vertex before.
      out.add(fmt::format("SKN / {}[{}] / source", kind, i), entries[i].at, entries[i].at + bytes,
              fmt::format("the {} bytes before the first source vertex are not zero", prefix.size()))
          .fix = fmt::format("set the {} bytes at {:#x} to 0", prefix.size(), entries[i].source_at);
    }
  };
  if (!subject.block.skn) return;
  check("SK1", subject.block.skn->sk1, Sk1Entry::bytes);
  check("SK2", subject.block.skn->sk2, Sk2Entry::bytes);
}

void skn_layout_packed(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  const Skn& skn = *subject.block.skn;
  const std::uint32_t sk1 = Skn::header_bytes, sk2 = sk1 + skn.sk1_count * Sk1Entry::bytes;
  const std::uint32_t acc = sk2 + skn.sk2_count * Sk2Entry::bytes,
                      end = acc + skn.acc_count * SkAccEntry::bytes;
  const auto expect = [&](const char* name, std::uint32_t count, std::uint32_t actual,
                          std::uint32_t expected) {
    if (count == 0 || actual == expected) return;
    add_header(skn, out,
               fmt::format("the {} array is at {:#x}, packed it is at {:#x}", name, actual, expected))
        .fix = fmt::format("move the {} array's {} entries to SKN + {:#x}", name, count, expected);
  };
  expect("SK1", skn.sk1_count, skn.sk1_pointer, sk1);
  expect("SK2", skn.sk2_count, skn.sk2_pointer, sk2);
  expect("SKAcc", skn.acc_count, skn.acc_pointer, acc);
  const std::uint32_t data = skn.variable_data_offset();
  for (std::uint32_t i = skn.at + end; i < skn.at + data && i < subject.bytes.size(); ++i) {
    if (subject.bytes[i] == 0) continue;
    out.add("SKN / header", skn.at + end, skn.at + data,
            fmt::format("the padding before VAR_DATA_OFF ({:#x}) is not zero", data))
        .fix = fmt::format("set the bytes {:#x} to {:#x} to 0", skn.at + end, skn.at + data);
    return;
  }
}

void skn_weights(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  const Skn& skn = *subject.block.skn;
  const SlotTable& slots = subject.slots;
  const auto& entries = subject.entries;
  const auto supplement = [&](std::uint32_t slot) {
    std::uint32_t sum = 0;
    for (const Contribution& c : slots.contributions(slot)) {
      const auto& weights = skn.acc[c.entry].weights;
      sum += c.position < weights.size() ? weights[c.position] : 0;
    }
    return sum;
  };
  const bool sums_known = std::all_of(skn.acc.begin(), skn.acc.end(), [](const SkAccEntry& e) {
    return e.indices.size() == e.count && e.weights.size() == e.count;
  });
  struct Wrong {
    std::uint32_t count = 0, slot = 0, sum = 0;
  };
  std::map<std::pair<bool, std::uint32_t>, Wrong> wrong;  // (accumulation only?, entry) -> what
  for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
    const std::int32_t owner = slots.direct(slot);
    std::uint32_t sum = supplement(slot);
    if (owner >= 0) {
      const DirectEntry& e = entries[static_cast<std::size_t>(owner)];
      const std::uint64_t k = slot - e.first_vertex() / vertex_stride;
      if (e.is_sk1) continue;  // weight 1; supplements are skn.acc.sk1's
      const auto& pairs = skn.sk2[e.index].weights;
      if (k >= pairs.size()) continue;
      sum += pairs[k][0] + pairs[k][1];
    } else if (slots.contributions(slot).empty()) {
      continue;
    }
    if (sum == 256 || (sum < 256 && !sums_known)) continue;
    const auto key = owner >= 0 ? std::pair(false, static_cast<std::uint32_t>(owner))
                                : std::pair(true, slots.first_accumulator(slot));
    Wrong& w = wrong[key];
    if (w.count++ == 0) w = {1, slot, sum};
  }
  for (const auto& [key, w] : wrong) {
    const auto cause = fmt::format("the weights of {} {} do not sum to 256; the first is slot {} with {}",
                                   w.count, w.count == 1 ? "vertex" : "vertices", w.slot, w.sum);
    Finding& f = key.first ? out.add(acc_name(key.second), skn.acc[key.second].at,
                                     skn.acc[key.second].at + SkAccEntry::bytes, cause)
                           : out.add("SKN / " + entries[key.second].name(), entries[key.second].at,
                                     entries[key.second].at + entries[key.second].struct_bytes(), cause);
    f.consequence = fmt::format("the vertex {} by the factor {}/256",
                                w.sum < 256 ? "shrinks towards the origin" : "swells", w.sum);
    f.fix = fmt::format("{} {} 256ths {} the weights of slot {}, and see to the others alike",
                        w.sum < 256 ? "add" : "take", w.sum < 256 ? 256 - w.sum : w.sum - 256,
                        w.sum < 256 ? "to" : "from", w.slot);
  }
}

void skn_unwritten(const Subject& subject, Findings& out) {
  const PositionArray* positions = subject.block.skinned_positions();
  if (!subject.block.skn || positions == nullptr) return;
  const SlotTable& slots = subject.slots;
  std::vector<std::uint32_t> frozen;
  for (const std::uint32_t slot : drawn_slots(subject.block)) {
    // An index past the array is gpl.index's.
    if (slot < positions->header.count && !slots.written(slot)) frozen.push_back(slot);
  }
  if (frozen.empty()) return;
  const std::uint32_t begin = positions->data_at + frozen.front() * vertex_stride;
  out.add("GPL / submesh 0 / positions", begin, begin + vertex_stride,
          fmt::format("{} drawn {} written by no entry, the first is slot {}", frozen.size(),
                      frozen.size() == 1 ? "vertex is" : "vertices are", frozen.front()))
      .fix = fmt::format("give slot {} to an entry, or draw a vertex that has one", frozen.front());
}

void skn_memclr_range(const Subject& subject, Findings& out) {
  if (!subject.block.skn || subject.block.skn->acc_count == 0) return;
  const Skn& skn = *subject.block.skn;
  const SlotTable& slots = subject.slots;
  const auto only = slots.accumulation_only();
  const MemClrRange need = needed_memclr(only);
  const MemClrRange has{skn.memclr_size == 0 ? 0 : skn.memclr_pointer, skn.memclr_size};
  const bool as_needed = has.begin == need.begin && has.size == need.size;
  const auto fix =
      as_needed && !only.empty()
          ? fmt::format("put the accumulation-only slots ({} to {}) together, on lines that no entry writes",
                        only.front(), only.back())
          : fmt::format("set memClrPtr to {:#x} and memClrSize to {:#x}", need.begin, need.size);
  const auto is = fmt::format("memClr covers +{:#x} .. +{:#x}", has.begin, has.end());

  // A line that both share is skn.acc.exclusive's.
  const std::uint64_t begin = as_needed ? has.begin : has.lines_begin(),
                      end = as_needed ? std::min(has.end(), has.lines_end()) : has.lines_end();
  std::vector<const DirectEntry*> erased;
  for (const DirectEntry& e : subject.entries) {
    if (e.count != 0 && e.first_vertex() < end && e.vertices_end() > begin) erased.push_back(&e);
  }
  if (!erased.empty()) {
    const DirectEntry& e = *erased.front();
    Finding& f = add_header(
        skn, out,
        fmt::format("{}, over the vertices of {} (+{:#x} .. +{:#x}){}", is, e.name(), e.first_vertex(),
                    e.vertices_end(),
                    erased.size() == 1 ? "" : fmt::format(" and of {} more entries", erased.size() - 1)));
    for (const DirectEntry* hit : erased) f.related.push_back("SKN / " + hit->name());
    f.consequence =
        "the clear runs after SK1 and SK2 and erases what they wrote: the vertices collapse into the origin";
    f.fix = fix;
    return;
  }
  if (as_needed) {
    report_early_end(skn, has, slots, only, out);
    return;
  }
  const bool missed = !only.empty() && (need.begin < has.begin ||
                                        (std::uint64_t{only.back()} + 1) * vertex_stride > has.end());
  if (missed) {
    Finding& f = add_header(
        skn, out,
        has.size == 0
            ? fmt::format("memClr is empty, but {} slots are written by SKAcc only (slots {} to {})",
                          only.size(), only.front(), only.back())
            : fmt::format("{}, the accumulation-only slots need +{:#x} .. +{:#x}", is, need.begin,
                          need.end()));
    f.related = summed_places(slots, only);
    f.fix = fix;
    return;
  }
  Finding& f = add_header(
      skn, out,
      fmt::format("{}, the accumulation-only slots need +{:#x} .. +{:#x}", is, need.begin, need.end()));
  f.severity = Severity::note;
  f.consequence = "every slot that needs clearing is cleared; one vanilla model clears a line more as well";
  f.fix = fix;
}

void skn_memclr_noacc(const Subject& subject, Findings& out) {
  if (!subject.block.skn || subject.block.skn->acc_count != 0 || subject.block.skn->memclr_size == 0) return;
  const Skn& skn = *subject.block.skn;
  add_header(skn, out,
             fmt::format("memClr {:#x} / {:#x} without SKAcc entries", skn.memclr_pointer, skn.memclr_size))
      .fix = "set memClrPtr and memClrSize to 0";
}

void skn_shift(const Subject& subject, Findings& out) {
  const PositionArray* positions = subject.block.skinned_positions();
  if (!subject.block.skn || positions == nullptr) return;
  const Skn& skn = *subject.block.skn;
  const std::uint8_t info = skn.quantize_info, shift = positions->header.quantization.shift();
  if (info == shift) return;
  Finding& f = add_header(
      skn, out,
      info >> 4 != 0
          ? fmt::format("quantize info {:#04x} has a non-zero high nibble; the register takes the whole byte",
                        info)
          : fmt::format("quantize info {} differs from the shift {} of the position array", info, shift));
  f.related = {"SKN"};
  f.fix = fmt::format("set the byte at SKN + 0x06 to {:#04x}", shift);
}

void skn_bone_range(const Subject& subject, Findings& out) {
  if (!subject.block.skn || !subject.block.act) return;
  const std::uint32_t bones = subject.block.act->bone_count;
  const auto check = [&](std::string name, std::uint32_t at, std::uint32_t bytes, std::uint32_t bone) {
    if (bone < bones) return;
    out.add("SKN / " + name, at, at + bytes,
            fmt::format("{} names bone {}, the skeleton has {} (0 to {})", name, bone, bones, bones - 1))
        .fix = fmt::format("use a bone below {}, or append the bone to the skeleton", bones);
  };
  const Skn& skn = *subject.block.skn;
  for (std::size_t i = 0; i < skn.sk1.size(); ++i)
    check(fmt::format("SK1[{}]", i), skn.sk1[i].at, Sk1Entry::bytes, skn.sk1[i].bone);
  for (std::size_t i = 0; i < skn.sk2.size(); ++i) {
    check(fmt::format("SK2[{}]", i), skn.sk2[i].at, Sk2Entry::bytes,
          std::max(skn.sk2[i].bone1, skn.sk2[i].bone2));
  }
  for (std::size_t i = 0; i < skn.acc.size(); ++i) {
    check(fmt::format("SKAcc[{}]", i), skn.acc[i].at, SkAccEntry::bytes, skn.acc[i].bone);
  }
}

void skn_flush(const Subject& subject, Findings& out) {
  const PositionArray* positions = subject.block.skinned_positions();
  if (!subject.block.skn || positions == nullptr || subject.block.skn->acc.empty()) return;
  const Skn& skn = *subject.block.skn;
  std::set<std::uint64_t> flushed;  // lines, relative to the position data
  const std::uint64_t base = skn.acc.front().destination;
  for (const std::uint16_t index : skn.flush) flushed.insert((base + index * 12ULL) / cache_line);
  const std::uint64_t clear_begin = skn.memclr_pointer / cache_line,
                      clear_lines = (skn.memclr_size + 31ULL) / cache_line;
  std::set<std::uint64_t> missing;
  for (const SkAccEntry& e : skn.acc) {
    for (const std::uint64_t at : destinations(e)) {
      for (std::uint64_t line = at / cache_line; line <= (at + vertex_stride - 1) / cache_line; ++line) {
        const bool cleared = line >= clear_begin && line < clear_begin + clear_lines;
        if (!cleared && !flushed.contains(line)) missing.insert(line);
      }
    }
  }
  if (missing.empty()) return;
  add_header(skn, out,
             fmt::format("{} lines that SKAcc adds to are neither flushed nor cleared, the first at +{:#x}",
                         missing.size(), *missing.begin() * cache_line))
      .fix = fmt::format("add the vertex at each of these lines to the flush array, starting with {}",
                         *missing.begin() * cache_line / vertex_stride);
}

void skn_dup(const Subject& subject, Findings& out) {
  if (!subject.block.skn) return;
  const auto& entries = subject.block.skn->acc;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const SkAccEntry& e = entries[i];
    std::map<std::uint16_t, std::vector<std::size_t>> by_slot;
    for (std::size_t k = 0; k < e.indices.size(); ++k) by_slot[e.indices[k]].push_back(k);
    std::size_t odd = 0;
    std::uint16_t first = 0;
    for (const auto& [slot, ks] : by_slot) {
      if (ks.size() == 1) continue;
      const bool known = ks.back() < e.weights.size() && ks.back() < e.vertices.size();
      const bool vanilla = known && ks.size() == 2 && e.weights[ks[0]] == 255 && e.weights[ks[1]] == 1 &&
                           e.vertices[ks[0]] == e.vertices[ks[1]];
      if (!vanilla && odd++ == 0) first = slot;
    }
    if (odd == 0) continue;
    out.add(fmt::format("SKN / SKAcc[{}]", i), e.at, e.at + SkAccEntry::bytes,
            fmt::format(
                "{} repeated destinations are no 255 + 1 pair from equal sources, the first is slot {}", odd,
                first))
        .fix = fmt::format("list slot {} once, or twice with weights 255 and 1 and the same source", first);
  }
}

}  // namespace lockline::harness::rule_checks
