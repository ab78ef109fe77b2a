#include "corpus/read_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockline::corpus {
namespace {

constexpr std::uint32_t max_slots = 65535;

tl::unexpected<Error> refuse(std::uint32_t at, std::string structure, std::string why) {
  return tl::unexpected(Error{ErrorCode::bad_value, at, std::move(structure), std::move(why)});
}

/// What the entries of one kind look like to this reader.
struct Direct {
  std::string name;
  std::uint32_t at = 0, source = 0, destination = 0, vertex_offset = 0, count = 0;
  const std::vector<SkinVertex>* vertices = nullptr;
  const std::vector<std::array<std::uint8_t, 2>>* weights = nullptr;  ///< nullptr: all of bone1
  std::uint16_t bone1 = 0, bone2 = 0;
};

std::vector<Direct> directs(const Skn& skn) {
  std::vector<Direct> out;
  for (std::size_t i = 0; i < skn.sk1.size(); ++i) {
    const Sk1Entry& e = skn.sk1[i];
    out.push_back({fmt::format("SKN / SK1[{}]", i), e.at, e.source, e.destination, e.vertex_offset, e.count,
                   &e.vertices, nullptr, e.bone, e.bone});
  }
  for (std::size_t i = 0; i < skn.sk2.size(); ++i) {
    const Sk2Entry& e = skn.sk2[i];
    out.push_back({fmt::format("SKN / SK2[{}]", i), e.at, e.source, e.destination, e.vertex_offset, e.count,
                   &e.vertices, &e.weights, e.bone1, e.bone2});
  }
  return out;
}

class Reader {
 public:
  explicit Reader(const Block& block)
      : block_(block), skn_(*block.skn), positions_(*block.skinned_positions()) {}

  Expected<std::vector<SlotVertex>> read() {
    if (auto whole = tables_are_whole(); !whole) return tl::unexpected(whole.error());
    for (const Direct& e : directs(skn_))
      if (auto done = add(e); !done) return tl::unexpected(done.error());
    for (std::size_t i = 0; i < skn_.acc.size(); ++i)
      if (auto done = add(i); !done) return tl::unexpected(done.error());
    if (auto sums = sums_are_256(); !sums) return tl::unexpected(sums.error());
    if (auto written = poses_are_written(); !written) return tl::unexpected(written.error());
    keep_unwritten();
    std::vector<SlotVertex> out;
    for (auto& [slot, vertex] : slots_) {
      vertex.slot = slot;
      out.push_back(std::move(vertex));
    }
    return out;
  }

 private:
  using Done = Expected<void>;

  Done tables_are_whole() const {
    if (skn_.sk1.size() != skn_.sk1_count || skn_.sk2.size() != skn_.sk2_count ||
        skn_.acc.size() != skn_.acc_count)
      return refuse(skn_.at, "SKN / header",
                    "the entry arrays leave the section: how many entries are meant is not known");
    return {};
  }

  Done bone_exists(std::uint16_t bone, std::uint32_t at, const std::string& name) const {
    if (!block_.act || bone < block_.act->bone_count) return {};
    return refuse(
        at, name,
        fmt::format("names bone {} of {}: which bone is meant is not known", bone, block_.act->bone_count));
  }

  /// The slot of an entry's first vertex.
  Expected<std::uint32_t> first_slot(const Direct& e) const {
    const std::uint64_t first = std::uint64_t{e.destination} + e.vertex_offset;
    if (e.vertex_offset < vertex_stride && first % vertex_stride == 0)
      return static_cast<std::uint32_t>(first / vertex_stride);
    const std::uint32_t mirror = skn_.variable_data_offset();
    const std::uint64_t mirrored = std::uint64_t{e.source} + e.vertex_offset;
    if (e.vertex_offset < vertex_stride && mirrored >= mirror && (mirrored - mirror) % vertex_stride == 0)
      return static_cast<std::uint32_t>((mirrored - mirror) / vertex_stride);
    return refuse(e.at, e.name, "writes between slots: which slots are meant is not known");
  }

  Done add(const Direct& e) {
    if (e.vertices->size() != e.count) return refuse(e.at, e.name + " / source", "leaves the block");
    if (e.weights != nullptr && e.weights->size() != e.count)
      return refuse(e.at, e.name + " / weights", "leaves the block");
    for (const std::uint16_t bone : {e.bone1, e.bone2})
      if (auto exists = bone_exists(bone, e.at, e.name); !exists) return exists;
    const auto first = first_slot(e);
    if (!first) return tl::unexpected(first.error());
    if (std::uint64_t{*first} + e.count > max_slots) return refuse(e.at, e.name, "writes past slot 65535");
    for (std::uint32_t k = 0; k < e.count; ++k) {
      SlotVertex& s = slots_[*first + k];
      s.vertex = {(*e.vertices)[k], {}};
      if (e.weights == nullptr) {
        s.vertex.weights = {{e.bone1, 256}};
      } else {
        add_weight(s.vertex, e.bone1, (*e.weights)[k][0]);
        add_weight(s.vertex, e.bone2, (*e.weights)[k][1]);
      }
      s.direct = s.vertex.weights;
      ++s.writers;
    }
    return {};
  }

  Done add(std::size_t index) {
    const SkAccEntry& e = skn_.acc[index];
    const std::string name = fmt::format("SKN / SKAcc[{}]", index);
    if (e.vertices.size() != e.count || e.indices.size() != e.count || e.weights.size() != e.count)
      return refuse(e.at, name, "its arrays leave the block");
    if (auto exists = bone_exists(e.bone, e.at, name); !exists) return exists;
    if (e.destination % vertex_stride != 0)
      return refuse(e.at, name, "adds between slots: which slots are meant is not known");
    for (std::size_t k = 0; k < e.count; ++k) {
      const std::uint32_t slot = e.destination / vertex_stride + e.indices[k];
      if (slot >= max_slots) return refuse(e.at, name, "adds past slot 65535");
      const auto [found, fresh] = slots_.try_emplace(slot);
      WeightedVertex& v = found->second.vertex;
      if (fresh) v.bind = e.vertices[k];
      if (v.bind != e.vertices[k])
        return refuse(
            e.at, name,
            fmt::format("its source of slot {} differs from the entry's that writes the slot", slot));
      add_weight(v, e.bone, e.weights[k]);
    }
    return {};
  }

  static void add_weight(WeightedVertex& v, std::uint16_t bone, std::uint16_t weight) {
    if (weight == 0) return;
    const auto same =
        std::find_if(v.weights.begin(), v.weights.end(), [&](BoneWeight w) { return w.bone == bone; });
    if (same != v.weights.end()) {
      same->weight = static_cast<std::uint16_t>(same->weight + weight);
    } else {
      v.weights.push_back({bone, weight});
    }
  }

  Done sums_are_256() const {
    for (const auto& [slot, s] : slots_) {
      std::uint32_t sum = 0;
      for (const BoneWeight w : s.vertex.weights) sum += w.weight;
      if (sum != 256)
        return refuse(
            skn_.at, "SKN",
            fmt::format("the weights of slot {} sum to {}, not 256: what is meant is not known", slot, sum));
    }
    return {};
  }

  void keep(std::uint32_t slot) {
    const auto& raw = std::get<std::vector<std::int16_t>>(positions_.values);
    if (slots_.contains(slot) || (slot + 1ULL) * 6 > raw.size()) return;
    SkinVertex& bind = slots_[slot].vertex.bind;
    std::copy_n(raw.begin() + static_cast<std::ptrdiff_t>(slot * 6ULL), 6, bind.begin());
  }

  void keep_unwritten() {
    for (const DisplayState& state : block_.gpl->submeshes[0].layout->display->states) {
      const int column = state.list ? state.list->column(Attribute::position) : -1;
      if (column < 0) continue;
      for (const Primitive& p : state.list->primitives)
        for (auto i = static_cast<std::size_t>(column); i < p.indices.size();
             i += state.list->attributes.size())
          keep(p.indices[i]);
    }
  }

  /// A pose that goes to a slot without an entry shows nowhere, and has no place in the mirror.
  Done poses_are_written() const {
    if (!block_.facial) return {};
    for (std::size_t o = 0; o < block_.facial->objects.size(); ++o) {
      for (const FacialAttribute& a : block_.facial->objects[o].attributes) {
        std::uint32_t record = 0;
        for (const FacialRun& run : a.runs) {
          for (std::uint32_t slot = run.first;
               moves_skin(block_, a) && slot < run.first + run.length && record < max_slots;
               ++slot, ++record) {
            if (!slots_.contains(slot))
              return refuse(a.at, fmt::format("facial / object {}", o),
                            fmt::format("moves slot {}, which no entry writes", slot));
          }
        }
      }
    }
    return {};
  }

  const Block& block_;
  const Skn& skn_;
  const PositionArray& positions_;
  std::map<std::uint32_t, SlotVertex> slots_;
};

}  // namespace

bool moves_skin(const Block& block, const FacialAttribute& attribute) {
  return block.skn && attribute.kind == 1 && attribute.target == 0;
}

Expected<std::vector<SlotVertex>> read_weights(const Block& block) {
  const PositionArray* positions = block.skinned_positions();
  if (!block.skn || positions == nullptr)
    return tl::unexpected(Error{ErrorCode::missing, 0, "block", "the model has no skin"});
  if (positions->header.components != 6 ||
      !std::holds_alternative<std::vector<std::int16_t>>(positions->values))
    return refuse(positions->header.at, "GPL / submesh 0 / position header",
                  "is no array of six s16 components");
  if (!block.gpl->submeshes[0].layout->display)
    return refuse(positions->header.at, "GPL / submesh 0 / display header", "cannot be read");
  return Reader(block).read();
}

}  // namespace lockline::corpus
