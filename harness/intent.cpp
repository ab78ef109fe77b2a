#include "harness/intent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

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

Intent::Intent(Bytes bytes, const Block& block, const emu::MachineOptions& options)
    : bytes_(bytes),
      block_(block),
      kernels_(*options.kernels),
      // A non-zero high nibble is a mistake, not an intent.
      settings_(block.skn ? block.skn->quantize_info & 0x0F : 0, *options.profile),
      entries_(direct_entries(block)),
      slots_(block),
      accumulation_only_(slots_.accumulation_only()),
      facial_(slots_of_facial_objects(block)),
      sources_(bytes.begin(), bytes.end()),
      positions_(buffer_size(entries_, slots_)) {}

void Intent::frame(const Pose& pose) {
  if (!block_.skn) return;
  pose_faces(pose.faces);
  for (const std::uint32_t slot : accumulation_only_)
    std::memset(positions_.data() + slot * vertex_stride, 0, vertex_stride);
  run_sk1(pose);
  run_sk2(pose);
  run_acc(pose);
}

/// Block offset of the source record of a slot, 0 when no SK1/SK2 entry writes it.
std::uint32_t Intent::record_at(std::uint32_t slot) const {
  const std::int32_t owner = slots_.direct(slot);
  if (owner < 0) return 0;
  const DirectEntry& e = entries_[static_cast<std::size_t>(owner)];
  const std::uint64_t k = slot - e.first_vertex() / vertex_stride;
  const std::uint64_t at = std::uint64_t{block_.skn->at} + e.source + e.vertex_offset + k * vertex_stride;
  return contains(bytes_.size(), at, vertex_stride) ? static_cast<std::uint32_t>(at) : 0;
}

void Intent::pose_faces(const emu::FacialPoses& faces) {
  for (const FacialSlot& f : facial_.slots) {
    const FacialAttribute& a = block_.facial->objects[f.object].attributes[f.attribute];
    const std::uint32_t at = record_at(f.slot);
    if (f.object >= faces.size() || at == 0 || a.components != 6) continue;
    for (std::size_t c = 0; c < 6; ++c) {
      const std::size_t element = f.record * std::size_t{6} + c;
      if (a.poses.empty() || element >= a.poses[0].size()) break;
      const auto component = [&](std::size_t p) -> std::int16_t {
        return element < a.poses[p].size() ? a.poses[p][element] : 0;
      };
      store_be(sources_.data() + at + 2 * c,
               emu::posed_component(faces[f.object], a.poses.size(), component));
    }
  }
}

void Intent::run_sk1(const Pose& pose) {
  for (const Sk1Entry& e : block_.skn->sk1) {
    const std::uint64_t source = std::uint64_t{e.source_at} + e.vertex_offset,
                        bytes = e.count * std::uint64_t{vertex_stride};
    const std::uint64_t destination = std::uint64_t{e.destination} + e.vertex_offset;
    if (e.bone >= pose.matrices.size() || !contains(sources_.size(), source, bytes) ||
        !holds(destination, bytes))
      continue;
    kernels_.sk1(positions_.data() + destination, sources_.data() + source, e.count,
                 emu::reorder(pose.matrices[e.bone]), settings_);
  }
}

void Intent::run_sk2(const Pose& pose) {
  for (const Sk2Entry& e : block_.skn->sk2) {
    const std::uint64_t source = std::uint64_t{e.source_at} + e.vertex_offset,
                        bytes = e.count * std::uint64_t{vertex_stride};
    const std::uint64_t destination = std::uint64_t{e.destination} + e.vertex_offset;
    if (std::max(e.bone1, e.bone2) >= pose.matrices.size() || !contains(sources_.size(), source, bytes) ||
        !contains(sources_.size(), e.weights_at, e.count * 2ULL) || !holds(destination, bytes)) {
      continue;
    }
    kernels_.sk2(positions_.data() + destination, sources_.data() + source, sources_.data() + e.weights_at,
                 e.count, emu::reorder(pose.matrices[e.bone1]), emu::reorder(pose.matrices[e.bone2]),
                 settings_);
  }
}

void Intent::run_acc(const Pose& pose) {
  for (const SkAccEntry& e : block_.skn->acc) {
    const auto highest = std::max_element(e.indices.begin(), e.indices.end());
    if (e.bone >= pose.matrices.size() || highest == e.indices.end() ||
        !contains(sources_.size(), e.source_at, e.count * std::uint64_t{vertex_stride}) ||
        !contains(sources_.size(), e.indices_at, e.count * 2ULL) ||
        !contains(sources_.size(), e.weights_at, e.count) ||
        !holds(e.destination, (*highest + 1ULL) * vertex_stride)) {
      continue;
    }
    kernels_.skacc(positions_.data() + e.destination, sources_.data() + e.source_at,
                   sources_.data() + e.indices_at, sources_.data() + e.weights_at, e.count,
                   emu::reorder(pose.matrices[e.bone]), settings_);
  }
}

std::vector<WrongVertices> Intent::compare(emu::Machine& machine) const {
  std::vector<WrongVertices> out;
  const auto differs = [&](std::uint64_t offset) {
    const std::uint8_t* held =
        machine.memory().cpu(machine.model().positions + static_cast<std::uint32_t>(offset), vertex_stride);
    return held != nullptr && std::memcmp(held, positions_.data() + offset, vertex_stride) != 0;
  };
  for (const DirectEntry& e : entries_) {
    if (!holds(e.first_vertex(), e.count * std::uint64_t{vertex_stride})) continue;
    WrongVertices wrong{e.is_sk1 ? emu::Step::sk1 : emu::Step::sk2, e.index, {}};
    for (std::uint32_t k = 0; k < e.count; ++k) {
      if (differs(e.first_vertex() + k * std::uint64_t{vertex_stride})) wrong.vertices.push_back(k);
    }
    if (!wrong.vertices.empty()) out.push_back(std::move(wrong));
  }
  std::vector<WrongVertices> sums;
  for (const std::uint32_t slot : accumulation_only_) {
    if (!differs(std::uint64_t{slot} * vertex_stride)) continue;
    const Contribution& first = slots_.contributions(slot).front();
    auto found = std::find_if(sums.begin(), sums.end(),
                              [&](const WrongVertices& w) { return w.entry == first.entry; });
    if (found == sums.end())
      found = sums.insert(sums.end(), WrongVertices{emu::Step::skacc, first.entry, {}});
    found->vertices.push_back(first.position);
  }
  for (WrongVertices& w : sums) {
    std::sort(w.vertices.begin(), w.vertices.end());
    out.push_back(std::move(w));
  }
  return out;
}

}  // namespace lockline::harness
