#include "harness/diff_match.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>
#include <unordered_map>

namespace lockline::harness {
namespace {

/// x y z nx ny nz in steps of the coarser model.
using Bind = std::array<std::int32_t, 6>;

/// A vertex on its way to a partner.
struct Candidate {
  std::uint32_t index = 0;
  const DiffVertex* vertex = nullptr;
  Bind bind{};
};
using Candidates = std::vector<Candidate>;

/// v / 2^shift, halves away from zero.
std::int32_t scaled_down(std::int32_t v, int shift) {
  if (shift == 0) return v;
  const std::int32_t magnitude = (std::abs(v) + (1 << (shift - 1))) >> shift;
  return v < 0 ? -magnitude : magnitude;
}

Candidates candidates_of(const VertexList& list, std::uint8_t coarser_shift) {
  Candidates out;
  out.reserve(list.vertices.size());
  for (std::uint32_t i = 0; i < list.vertices.size(); ++i) {
    Candidate& c = out.emplace_back(Candidate{i, &list.vertices[i], {}});
    std::transform(c.vertex->bind.begin(), c.vertex->bind.end(), c.bind.begin(),
                   [&](std::int16_t v) { return scaled_down(v, list.shift - coarser_shift); });
  }
  return out;
}

int compare_weights(const Candidate& a, const Candidate& b) {
  const auto order = a.vertex->weights <=> b.vertex->weights;
  return order < 0 ? -1 : order > 0;
}

int compare_bones(const Candidate& a, const Candidate& b) {
  const auto& x = a.vertex->weights;
  const auto& y = b.vertex->weights;
  const auto order = std::lexicographical_compare_three_way(
      x.begin(), x.end(), y.begin(), y.end(), [](const auto& p, const auto& q) { return p.bone <=> q.bone; });
  return order < 0 ? -1 : order > 0;
}

template <class T>
int compare(const T& a, const T& b) {
  return a < b ? -1 : b < a;
}

int compare_bind(const Candidate& a, const Candidate& b) {
  return compare(a.bind, b.bind);
}

/// Pairs candidates that `order` (negative, 0, positive) finds equal, and removes them. Both lists keep what
/// is left in the order of slots.
template <class Order>
void join(Candidates& donor, Candidates& patched, MatchedBy by, std::vector<VertexMatch>& pairs,
          const Order& order) {
  const auto less = [&](const Candidate& a, const Candidate& b) {
    const int o = order(a, b);
    return o != 0 ? o < 0 : std::tuple(!a.vertex->drawn, a.index) < std::tuple(!b.vertex->drawn, b.index);
  };
  for (Candidates* side : {&donor, &patched}) {
    if (!std::is_sorted(side->begin(), side->end(), less)) std::sort(side->begin(), side->end(), less);
  }
  Candidates donor_left, patched_left;
  auto d = donor.begin();
  auto p = patched.begin();
  while (d != donor.end() && p != patched.end()) {
    const int o = order(*d, *p);
    if (o == 0) pairs.push_back({(d++)->index, (p++)->index, by});
    if (o < 0) donor_left.push_back(*d++);
    if (o > 0) patched_left.push_back(*p++);
  }
  donor_left.insert(donor_left.end(), d, donor.end());
  patched_left.insert(patched_left.end(), p, patched.end());
  donor = std::move(donor_left);
  patched = std::move(patched_left);
}

/// Distinct bind positions, each with the vertices that stand there.
using Position = std::array<std::int32_t, 3>;
struct PositionHash {
  std::size_t operator()(const Position& p) const {
    std::uint64_t h = 0;
    for (const std::int32_t v : p) h = (h ^ static_cast<std::uint32_t>(v)) * 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>(h ^ h >> 32);
  }
};
using Places = std::unordered_map<Position, Candidates, PositionHash>;

Position position_of(const Candidate& c) {
  return {c.bind[0], c.bind[1], c.bind[2]};
}

Places places_of(const Candidates& candidates) {
  Places out;
  for (const Candidate& c : candidates) out[position_of(c)].push_back(c);
  return out;
}

/// Every displacement within near_steps, the shortest first.
std::vector<Position> displacements() {
  std::vector<Position> out;
  for (std::int32_t x = -near_steps; x <= near_steps; ++x)
    for (std::int32_t y = -near_steps; y <= near_steps; ++y)
      for (std::int32_t z = -near_steps; z <= near_steps; ++z) out.push_back({x, y, z});
  std::stable_sort(out.begin(), out.end(), [](const Position& a, const Position& b) {
    const auto square = [](const Position& p) { return p[0] * p[0] + p[1] * p[1] + p[2] * p[2]; };
    return square(a) < square(b);
  });
  return out;
}

/// Pairs the nearest first. Costs a look-up per displacement and distinct position, however many vertices
/// stand close together.
template <class Order>
void join_near(Candidates& donor, Candidates& patched, MatchedBy by, std::vector<VertexMatch>& pairs,
               const Order& order) {
  if (donor.empty() || patched.empty()) return;
  Places places = places_of(patched);
  std::vector<std::pair<Position, Candidates>> left;
  {
    Places grouped = places_of(donor);
    left.assign(std::make_move_iterator(grouped.begin()), std::make_move_iterator(grouped.end()));
    std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  for (const Position& by_steps : displacements()) {
    for (auto& [position, here] : left) {
      if (here.empty()) continue;
      const auto there =
          places.find({position[0] + by_steps[0], position[1] + by_steps[1], position[2] + by_steps[2]});
      if (there != places.end() && !there->second.empty()) join(here, there->second, by, pairs, order);
    }
  }
  donor.clear();
  patched.clear();
  for (auto& [position, here] : left) donor.insert(donor.end(), here.begin(), here.end());
  for (auto& [position, here] : places) patched.insert(patched.end(), here.begin(), here.end());
}

bool same_layout(const VertexList& donor, const VertexList& patched) {
  return std::equal(donor.vertices.begin(), donor.vertices.end(), patched.vertices.begin(),
                    patched.vertices.end(), [](const DiffVertex& a, const DiffVertex& b) {
                      const auto same_bone = [](VertexWeight x, VertexWeight y) { return x.bone == y.bone; };
                      return a.slot == b.slot && std::equal(a.writes.begin(), a.writes.end(),
                                                            b.writes.begin(), b.writes.end(), same_bone);
                    });
}

std::vector<std::uint32_t> indices(const Candidates& left) {
  std::vector<std::uint32_t> out;
  out.reserve(left.size());
  for (const Candidate& c : left) out.push_back(c.index);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

VertexMatches match_vertices(const VertexList& donor, const VertexList& patched) {
  VertexMatches out;
  out.by_slot = same_layout(donor, patched);
  if (out.by_slot) {
    for (std::uint32_t i = 0; i < donor.vertices.size(); ++i) out.pairs.push_back({i, i, MatchedBy::slot});
    return out;
  }
  const std::uint8_t shift = std::min(donor.shift, patched.shift);
  Candidates d = candidates_of(donor, shift), p = candidates_of(patched, shift);
  join(d, p, MatchedBy::bind_weights, out.pairs, [](const Candidate& a, const Candidate& b) {
    const int o = compare_bind(a, b);
    return o != 0 ? o : compare_weights(a, b);
  });
  join(d, p, MatchedBy::bind_bones, out.pairs, [](const Candidate& a, const Candidate& b) {
    const int o = compare_bind(a, b);
    return o != 0 ? o : compare_bones(a, b);
  });
  join(d, p, MatchedBy::bind, out.pairs, compare_bind);
  join_near(d, p, MatchedBy::near_weights, out.pairs, compare_weights);
  join_near(d, p, MatchedBy::near_position, out.pairs, [](const Candidate&, const Candidate&) { return 0; });
  std::sort(out.pairs.begin(), out.pairs.end(),
            [](const VertexMatch& a, const VertexMatch& b) { return a.patched < b.patched; });
  out.removed = indices(d);
  out.added = indices(p);
  return out;
}

}  // namespace lockline::harness
