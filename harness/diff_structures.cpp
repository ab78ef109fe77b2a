#include "harness/diff_structures.hpp"

#include <algorithm>

namespace lockline::harness {
namespace {

bool is_gpl(const StructureRange& range) {
  return range.kind != StructureKind::gap && range.name.starts_with("GPL / ");
}

using Ranges = std::vector<const StructureRange*>;

using Choice = std::function<bool(const StructureRange&)>;

/// Structures by name, those of one name by offset.
Ranges chosen(const Subject& subject, const Choice& wanted) {
  Ranges out;
  for (const StructureRange& range : subject.map.ranges()) {
    if (wanted(range)) out.push_back(&range);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const StructureRange* a, const StructureRange* b) { return a->name < b->name; });
  return out;
}

Bytes bytes_of(Bytes block, const StructureRange& range) {
  return block.subspan(range.begin, range.end - range.begin);
}

/// Either may be nullptr, not both.
StructureDiff compare(const Subject& donor, const StructureRange* d, const Subject& patched,
                      const StructureRange* p) {
  StructureDiff out;
  out.name = d != nullptr ? d->name : p->name;
  Bytes a, b;
  if (d != nullptr) {
    a = bytes_of(donor.bytes, *d);
    out.donor_at = d->begin;
    out.donor_bytes = d->end - d->begin;
  }
  if (p != nullptr) {
    b = bytes_of(patched.bytes, *p);
    out.patched_at = p->begin;
    out.patched_bytes = p->end - p->begin;
  }
  for (std::size_t i = std::min(a.size(), b.size()); i-- > 0;) {
    if (a[i] == b[i]) continue;
    ++out.differing;
    out.first = static_cast<std::uint32_t>(i);
  }
  return out;
}

}  // namespace

std::vector<StructureDiff> diff_structures(const Subject& donor, const Subject& patched) {
  return diff_structures(donor, patched, is_gpl);
}

std::vector<StructureDiff> diff_structures(const Subject& donor, const Subject& patched,
                                           const Choice& wanted) {
  std::vector<StructureDiff> out;
  const Ranges donors = chosen(donor, wanted), patcheds = chosen(patched, wanted);
  const auto add = [&](const StructureRange* d, const StructureRange* p) {
    StructureDiff diff = compare(donor, d, patched, p);
    if (diff.differing != 0 || diff.donor_bytes != diff.patched_bytes) out.push_back(std::move(diff));
  };
  auto d = donors.begin();
  auto p = patcheds.begin();
  while (d != donors.end() || p != patcheds.end()) {
    const bool only_donor = p == patcheds.end() || (d != donors.end() && (*d)->name < (*p)->name);
    const bool only_patched = !only_donor && (d == donors.end() || (*p)->name < (*d)->name);
    add(only_patched ? nullptr : *d, only_donor ? nullptr : *p);
    if (!only_patched) ++d;
    if (!only_donor) ++p;
  }
  std::stable_sort(out.begin(), out.end(), [](const StructureDiff& a, const StructureDiff& b) {
    const bool a_gone = a.patched_bytes == 0, b_gone = b.patched_bytes == 0;
    return a_gone != b_gone ? b_gone : a_gone ? a.donor_at < b.donor_at : a.patched_at < b.patched_at;
  });
  return out;
}

OverwriteWatch::OverwriteWatch(const Subject& subject, const emu::Machine& machine)
    : subject_(subject),
      region_(position_region(subject)),
      loaded_(machine.block().begin(), machine.block().end()),
      known_(subject.map.ranges().size()) {}

void OverwriteWatch::frame(const emu::Machine& machine, const FrameRef& frame) {
  for (const Stray& stray : strays(subject_, machine, region_)) {
    for (const StructureRange* range : subject_.map.overlapping(stray.begin, stray.end)) {
      const auto index = static_cast<std::size_t>(range - subject_.map.ranges().data());
      if (is_gpl(*range) && !known_[index]) see(machine, stray, *range, frame);
    }
  }
}

void OverwriteWatch::see(const emu::Machine& machine, const Stray& stray, const StructureRange& range,
                         const FrameRef& frame) {
  const auto differing = [&](std::uint32_t begin, std::uint32_t end) {
    std::uint32_t bytes = 0;
    for (std::uint32_t at = begin; at < end; ++at) bytes += machine.block()[at] != loaded_[at];
    return bytes;
  };
  if (differing(std::max(stray.begin, range.begin), std::min(stray.end, range.end)) == 0) return;
  known_[static_cast<std::size_t>(&range - subject_.map.ranges().data())] = true;
  found_.push_back({.name = range.name,
                    .begin = range.begin,
                    .end = range.end,
                    .bytes = differing(range.begin, range.end),
                    .author = stray.author,
                    .frame = frame,
                    .in_donor = false});
}

std::vector<OverwriteDiff> OverwriteWatch::overwrites() const {
  auto out = found_;
  std::stable_sort(out.begin(), out.end(),
                   [](const OverwriteDiff& a, const OverwriteDiff& b) { return a.begin < b.begin; });
  return out;
}

}  // namespace lockline::harness
