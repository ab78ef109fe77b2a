#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "corpus/facial_builder.hpp"
#include "corpus/relayout_parts.hpp"

namespace lockline::corpus {
namespace {

/// True when every pose has so many records.
bool poses_hold(const FacialAttribute& a, std::uint64_t records) {
  return !a.poses.empty() && std::all_of(a.poses.begin(), a.poses.end(), [&](const auto& pose) {
    return pose.size() == records * a.components;
  });
}

/// What its runs name, in the order of its records. Nothing when they do not name a vertex per record.
std::optional<std::vector<std::uint32_t>> indices_of(const FacialAttribute& a) {
  std::uint64_t named = 0;
  for (const FacialRun& run : a.runs) named += run.length;
  if (named != a.entries || !poses_hold(a, named)) return std::nullopt;
  std::vector<std::uint32_t> out;
  for (const FacialRun& run : a.runs)
    for (std::uint32_t i = 0; i < run.length; ++i) out.push_back(run.first + i);
  return out;
}

/// Each record to its new index, ascending; the records of every pose in that order.
void reorder(FacialAttribute& a, const std::vector<std::uint16_t>& indices) {
  std::vector<std::size_t> order(indices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return indices[x] < indices[y]; });
  std::vector<std::uint16_t> sorted;
  for (const std::size_t record : order) sorted.push_back(indices[record]);
  for (auto& pose : a.poses) {
    std::vector<std::int16_t> moved;
    for (const std::size_t record : order)
      moved.insert(moved.end(), pose.begin() + static_cast<std::ptrdiff_t>(record * a.components),
                   pose.begin() + static_cast<std::ptrdiff_t>((record + 1) * a.components));
    pose = std::move(moved);
  }
  a.runs = runs_of(sorted, true);
  a.terminated = true;
}

/// The one SKAcc entry of the new skin that has all these vertices, and their places in it.
struct Supplement {
  std::size_t entry = 0;
  std::vector<std::uint16_t> places;
};

std::optional<Supplement> find_supplement(const Skn& skn, std::uint16_t bone,
                                          const std::vector<std::uint32_t>& slots) {
  for (std::size_t i = 0; i < skn.acc.size() && i < 256; ++i) {
    if (skn.acc[i].bone != bone) continue;
    Supplement found{i, {}};
    for (const std::uint32_t slot : slots) {
      const auto& indices = skn.acc[i].indices;
      const auto place = std::find(indices.begin(), indices.end(), slot);
      if (place == indices.end()) break;
      found.places.push_back(static_cast<std::uint16_t>(place - indices.begin()));
    }
    if (found.places.size() == slots.size()) return found;
  }
  return std::nullopt;
}

Expected<void> relay_supplement(Facial& facial, FacialAttribute& a, const Skn& old, const Skn& skn,
                                const std::vector<std::uint32_t>& indices, const SlotMap& slots,
                                const std::string& name) {
  if (a.target >= old.acc.size())
    return cannot(a.at, name, fmt::format("targets SKAcc entry {} of {}", a.target, old.acc.size()));
  const SkAccEntry& entry = old.acc[a.target];
  std::vector<std::uint32_t> moved;
  for (const std::uint32_t k : indices) {
    if (k >= entry.indices.size())
      return cannot(a.at, name, fmt::format("moves vertex {} of SKAcc[{}]'s {}", k, a.target, entry.count));
    moved.push_back(slots.at(entry.destination / vertex_stride + entry.indices[k]));
  }
  const auto found = find_supplement(skn, entry.bone, moved);
  if (!found)
    return cannot(
        a.at, name,
        fmt::format(
            "moves sources of SKAcc[{}] (bone {}), and the canonical layout has no one SKAcc entry with them",
            a.target, entry.bone));
  for (FacialTypeDescriptor& type : facial.types)
    if (type.kind == 0 && type.target == a.target) type.target = static_cast<std::uint8_t>(found->entry);
  a.target = static_cast<std::uint8_t>(found->entry);
  reorder(a, found->places);
  return {};
}

tl::unexpected<Error> mismatch(const FacialAttribute& a, const std::string& name) {
  return cannot(a.at, name,
                fmt::format("its runs do not name a vertex for each of its {} records: which belong "
                            "together is not known",
                            a.entries));
}

/// An attribute of another submesh keeps what it has; a missing end of its runs is put there.
Expected<void> keep_attribute(const Layout& skin, FacialAttribute& a, const std::string& name) {
  const bool shared_normals = skin.lighting && skin.lighting->data_at == skin.position->data_at;
  if (a.kind == 2 && a.target == 0 && shared_normals)
    return cannot(a.at, name, "moves normals of the skin without their positions");
  if (!poses_hold(a, a.entries)) return cannot(a.at, name, "its pose arrays leave the block");
  if (a.terminated) return {};
  if (!indices_of(a)) return mismatch(a, name);
  a.runs.push_back({0, 0});
  a.terminated = true;
  return {};
}

Expected<void> relay_attribute(Block& block, FacialAttribute& a, const Skn& skn, const SlotMap& slots,
                               const std::string& name) {
  if (a.kind != 0 && !moves_skin(block, a)) return keep_attribute(*block.gpl->submeshes[0].layout, a, name);
  const auto indices = indices_of(a);
  if (!indices) return mismatch(a, name);
  if (a.components != 6)
    return cannot(a.at, name, fmt::format("moves {} components of the skin's 6", a.components));
  if (a.kind == 0) return relay_supplement(*block.facial, a, *block.skn, skn, *indices, slots, name);
  std::vector<std::uint16_t> moved;
  for (const std::uint32_t slot : *indices) {
    const auto found = slots.find(slot);
    if (found == slots.end())
      return cannot(a.at, name, fmt::format("moves slot {}, which the position array does not have", slot));
    moved.push_back(static_cast<std::uint16_t>(found->second));
  }
  reorder(a, moved);
  return {};
}

}  // namespace

std::set<std::uint32_t> posed_slots(const Block& block) {
  std::set<std::uint32_t> out;
  if (!block.facial) return out;
  for (const FacialObject& object : block.facial->objects) {
    for (const FacialAttribute& a : object.attributes) {
      const SkAccEntry* entry =
          a.kind == 0 && a.target < block.skn->acc.size() ? &block.skn->acc[a.target] : nullptr;
      const auto indices = entry != nullptr || moves_skin(block, a) ? indices_of(a) : std::nullopt;
      if (!indices) continue;
      for (const std::uint32_t i : *indices) {
        if (entry == nullptr) out.insert(i);
        if (entry != nullptr && i < entry->indices.size())
          out.insert(entry->destination / vertex_stride + entry->indices[i]);
      }
    }
  }
  return out;
}

Expected<void> relay_facial(Block& block, const Skn& skn, const SlotMap& slots) {
  if (!block.facial) return {};
  Facial& facial = *block.facial;
  if (facial.objects.size() != facial.object_count || facial.types.size() != facial.type_count)
    return cannot(facial.at, "facial / header", "its tables leave the section");
  for (std::size_t o = 0; o < facial.objects.size(); ++o) {
    if (facial.objects[o].attributes.size() != facial.objects[o].attribute_count)
      return cannot(facial.objects[o].at, fmt::format("facial / object {}", o),
                    "its records leave the section");
    for (std::size_t i = 0; i < facial.objects[o].attributes.size(); ++i) {
      const auto name = fmt::format("facial / object {} / attribute {}", o, i);
      if (auto done = relay_attribute(block, facial.objects[o].attributes[i], skn, slots, name); !done)
        return done;
    }
  }
  pack(facial, facial.at);
  return {};
}

}  // namespace lockline::corpus
