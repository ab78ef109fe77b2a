#include "harness/intent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace lockline::harness {
namespace {

constexpr std::uint64_t largest_buffer = std::uint64_t{SlotTable::limit} * vertex_stride;

std::uint64_t buffer_size(const std::vector<DirectEntry>& entries, const SlotTable& slots) {
  std::uint64_t size = std::uint64_t{slots.size()} * vertex_stride;
  for (const DirectEntry& e : entries) {
    if (e.vertices_end() <= largest_buffer) size = std::max(size, e.vertices_end());
  }
  return size;
}

/// The largest difference of a position component of two records.
std::int32_t distance(const std::uint8_t* a, const std::uint8_t* b) {
  std::int32_t largest = 0;
  for (std::size_t c = 0; c < 3; ++c)
    largest =
        std::max(largest, std::abs(load_be<std::int16_t>(a + 2 * c) - load_be<std::int16_t>(b + 2 * c)));
  return largest;
}

}  // namespace

std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!out.empty()) out += ", ";
    out += last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return out;
}

emu::KernelSettings intended_settings(const Block& block, const emu::Profile& profile) {
  if (const PositionArray* positions = block.skinned_positions())
    return {positions->header.quantization.shift(), profile};
  return {block.skn ? block.skn->quantize_info & 0x0F : 0, profile};
}

Intent::Intent(const Subject& subject, const emu::MachineOptions& options)
    : subject_(subject),
      kernels_(*options.kernels),
      settings_(intended_settings(subject.block, *options.profile)),
      accumulation_only_(subject.slots.accumulation_only()),
      direct_ok_(subject.entries.size()),
      acc_ok_(subject.block.skn ? subject.block.skn->acc.size() : 0),
      sources_(subject.bytes.begin(), subject.bytes.end()),
      positions_(buffer_size(subject.entries, subject.slots)) {}

void Intent::frame(const Pose& pose) {
  if (!subject_.block.skn) return;
  pose_faces(pose.faces);
  for (const std::uint32_t slot : accumulation_only_)
    std::memset(positions_.data() + slot * vertex_stride, 0, vertex_stride);
  run_sk1(pose);
  run_sk2(pose);
  run_acc(pose);
}

/// Block offset of the source record of a slot, 0 when no SK1/SK2 entry writes it.
std::uint32_t Intent::record_at(std::uint32_t slot) const {
  const std::int32_t owner = subject_.slots.direct(slot);
  if (owner < 0) return 0;
  const DirectEntry& e = subject_.entries[static_cast<std::size_t>(owner)];
  const std::uint64_t k = slot - e.first_vertex() / vertex_stride;
  const std::uint64_t at =
      std::uint64_t{subject_.block.skn->at} + e.source + e.vertex_offset + k * vertex_stride;
  return contains(subject_.bytes.size(), at, vertex_stride) ? static_cast<std::uint32_t>(at) : 0;
}

/// As the game reads it, whatever the record announces; 0 outside the block.
std::int16_t Intent::pose_component(const FacialAttribute& a, std::size_t pose, std::size_t element) const {
  const std::uint64_t at =
      a.pose_at(*subject_.block.facial, pose) + std::uint64_t{element} * a.component_bytes;
  if (!contains(subject_.bytes.size(), at, a.component_bytes)) return 0;
  const std::uint8_t* value = subject_.bytes.data() + at;
  return a.component_bytes == 1 ? load_be<std::int8_t>(value) : load_be<std::int16_t>(value);
}

/// Puts a posed record into the source image.
void Intent::pose_record(const FacialAttribute& a, const emu::FacialObjectPose& pose, std::size_t record,
                         std::uint32_t at) {
  for (std::size_t c = 0; c < 6; ++c) {
    const auto component = [&](std::size_t p) { return pose_component(a, p, record * 6 + c); };
    if (a.pose_pointers.empty() || record >= a.entries) return;
    store_be(sources_.data() + at + 2 * c, emu::posed_component(pose, a.pose_pointers.size(), component));
  }
}

void Intent::pose_faces(const emu::FacialPoses& faces) {
  if (!subject_.block.facial) return;
  const auto& objects = subject_.block.facial->objects;
  for (const FacialSlot& f : subject_.facial.slots) {
    const FacialAttribute& a = objects[f.object].attributes[f.attribute];
    const std::uint32_t at = record_at(f.slot);
    if (f.object < faces.size() && at != 0 && a.components == 6)
      pose_record(a, faces[f.object], f.record, at);
  }
  for (std::size_t o = 0; o < objects.size() && o < faces.size(); ++o) {
    for (const FacialAttribute& a : objects[o].attributes) {
      if (a.kind == 0 && a.components == 6 && a.target < subject_.block.skn->acc.size())
        pose_supplement(a, faces[o]);
    }
  }
}

/// Kind 0: the records go straight to an SKAcc entry's sources.
void Intent::pose_supplement(const FacialAttribute& a, const emu::FacialObjectPose& pose) {
  const SkAccEntry& e = subject_.block.skn->acc[a.target];
  std::size_t record = 0;
  for (const FacialRun& run : a.runs) {
    for (std::uint32_t v = run.first; v < std::uint32_t{run.first} + run.length; ++v, ++record) {
      if (v < e.vertices.size()) pose_record(a, pose, record, e.source_at + v * vertex_stride);
    }
  }
}

void Intent::run_sk1(const Pose& pose) {
  const auto& entries = subject_.block.skn->sk1;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Sk1Entry& e = entries[i];
    const std::uint64_t destination = std::uint64_t{e.destination} + e.vertex_offset;
    direct_ok_[i] = e.bone < pose.matrices.size() && e.vertices.size() == e.count &&
                    holds(destination, e.count * std::uint64_t{vertex_stride});
    if (!direct_ok_[i]) continue;
    kernels_.sk1(positions_.data() + destination, sources_.data() + e.source_at + e.vertex_offset, e.count,
                 emu::reorder(pose.matrices[e.bone]), settings_);
  }
}

void Intent::run_sk2(const Pose& pose) {
  const auto& entries = subject_.block.skn->sk2;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Sk2Entry& e = entries[i];
    const std::uint64_t destination = std::uint64_t{e.destination} + e.vertex_offset;
    const bool ok = std::max(e.bone1, e.bone2) < pose.matrices.size() && e.vertices.size() == e.count &&
                    e.weights.size() == e.count && holds(destination, e.count * std::uint64_t{vertex_stride});
    direct_ok_[subject_.block.skn->sk1.size() + i] = ok;
    if (!ok) continue;
    kernels_.sk2(positions_.data() + destination, sources_.data() + e.source_at + e.vertex_offset,
                 sources_.data() + e.weights_at, e.count, emu::reorder(pose.matrices[e.bone1]),
                 emu::reorder(pose.matrices[e.bone2]), settings_);
  }
}

void Intent::run_acc(const Pose& pose) {
  const auto& entries = subject_.block.skn->acc;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const SkAccEntry& e = entries[i];
    const auto highest = std::max_element(e.indices.begin(), e.indices.end());
    acc_ok_[i] = e.bone < pose.matrices.size() && e.count != 0 && e.vertices.size() == e.count &&
                 e.indices.size() == e.count && e.weights.size() == e.count &&
                 holds(e.destination, (*highest + 1ULL) * vertex_stride);
    if (!acc_ok_[i]) continue;
    kernels_.skacc(positions_.data() + e.destination, sources_.data() + e.source_at,
                   sources_.data() + e.indices_at, sources_.data() + e.weights_at, e.count,
                   emu::reorder(pose.matrices[e.bone]), settings_);
  }
}

bool Intent::sums_ok(std::uint64_t slot) const {
  if (slot >= SlotTable::limit) return true;
  const auto& sums = subject_.slots.contributions(static_cast<std::uint32_t>(slot));
  return std::all_of(sums.begin(), sums.end(), [&](const Contribution& c) { return acc_ok_[c.entry]; });
}

std::vector<WrongVertices> Intent::compare(emu::Machine& machine) const {
  std::vector<WrongVertices> out;
  /// nullopt for a vertex that is right; else how far away it is.
  const auto astray = [&](std::uint64_t offset) -> std::optional<std::int32_t> {
    const std::uint8_t* held =
        machine.memory().cpu(machine.model().positions + static_cast<std::uint32_t>(offset), vertex_stride);
    const std::uint8_t* meant = positions_.data() + offset;
    if (held == nullptr || std::memcmp(held, meant, vertex_stride) == 0) return std::nullopt;
    return distance(held, meant);
  };
  const auto add = [](WrongVertices& wrong, std::uint32_t vertex, std::int32_t away) {
    wrong.vertices.push_back(vertex);
    wrong.farthest = std::max(wrong.farthest, away);
  };
  for (std::size_t i = 0; i < subject_.entries.size(); ++i) {
    const DirectEntry& e = subject_.entries[i];
    if (!direct_ok_[i]) continue;
    WrongVertices wrong{e.is_sk1 ? emu::Step::sk1 : emu::Step::sk2, e.index, {}, 0};
    for (std::uint32_t k = 0; k < e.count; ++k) {
      const std::uint64_t offset = e.first_vertex() + k * std::uint64_t{vertex_stride};
      if (!sums_ok(offset / vertex_stride)) continue;
      if (const auto away = astray(offset)) add(wrong, k, *away);
    }
    if (!wrong.vertices.empty()) out.push_back(std::move(wrong));
  }
  std::vector<WrongVertices> sums;
  for (const std::uint32_t slot : accumulation_only_) {
    const auto away = sums_ok(slot) ? astray(std::uint64_t{slot} * vertex_stride) : std::nullopt;
    if (!away) continue;
    const Contribution& first = subject_.slots.contributions(slot).front();
    auto found = std::find_if(sums.begin(), sums.end(),
                              [&](const WrongVertices& w) { return w.entry == first.entry; });
    if (found == sums.end())
      found = sums.insert(sums.end(), WrongVertices{emu::Step::skacc, first.entry, {}, 0});
    add(*found, first.position, *away);
  }
  for (WrongVertices& w : sums) {
    std::sort(w.vertices.begin(), w.vertices.end());
    out.push_back(std::move(w));
  }
  return out;
}

}  // namespace lockline::harness
