#include "harness/line_map.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace lockline::harness {
namespace {

/// Something that touches the lines [begin, end).
struct Claim {
  enum class Kind { entry, accumulation_only, memclr, structure, stored };
  Kind kind = Kind::entry;
  std::uint64_t begin = 0, end = 0;
  std::string name;
};

/// Widens [begin, end) to whole lines.
Claim claim(Claim::Kind kind, std::uint64_t begin, std::uint64_t end, std::string name) {
  const auto lines_end = align_up(end, cache_line);
  return {kind, begin / cache_line * cache_line, lines_end, std::move(name)};
}

/// Slots that only SKAcc writes, neighbouring ones as one claim.
void claim_accumulation_only(const SlotTable& slots, std::vector<Claim>& out) {
  for (const std::uint32_t slot : slots.accumulation_only()) {
    const std::uint64_t begin = std::uint64_t{slot} * vertex_stride;
    Claim next = claim(Claim::Kind::accumulation_only, begin, begin + vertex_stride, "accumulation-only");
    const bool joins =
        !out.empty() && out.back().kind == Claim::Kind::accumulation_only && next.begin <= out.back().end;
    if (joins) {
      out.back().end = next.end;
    } else {
      out.push_back(std::move(next));
    }
  }
}

std::vector<Claim> claims_of_writers(const Block& block, const std::vector<DirectEntry>& direct,
                                     const SlotTable& slots) {
  std::vector<Claim> out;
  for (const DirectEntry& e : direct)
    out.push_back(claim(Claim::Kind::entry, e.destination, e.write_back_end(), e.name()));
  claim_accumulation_only(slots, out);
  if (block.skn && block.skn->memclr_size != 0) {
    const std::uint64_t begin = block.skn->memclr_pointer;
    out.push_back(claim(Claim::Kind::memclr, begin, begin + block.skn->memclr_size, "memClr"));
  }
  return out;
}

/// What the file has in [0, end) of the position data beside the positions.
void claim_structures(const StructureMap& map, std::uint32_t data_at, std::uint64_t end,
                      std::vector<Claim>& out) {
  const auto last = static_cast<std::uint32_t>(std::min<std::uint64_t>(data_at + end, 0xFFFFFFFF));
  for (const StructureRange* range : map.overlapping(data_at, last)) {
    const bool positions = range->kind == StructureKind::array_data && range->begin == data_at;
    if (positions || range->kind == StructureKind::gap) continue;
    const std::uint64_t begin = std::max(range->begin, data_at) - data_at;
    out.push_back(claim(Claim::Kind::structure, begin, std::min<std::uint64_t>(range->end - data_at, end),
                        range->name));
  }
}

/// The claims that hold between two neighbouring boundaries.
class ActiveClaims {
 public:
  void enter(const Claim& claim) {
    group(claim).insert(&claim);
    entries_ += claim.kind == Claim::Kind::entry ? 1 : 0;
  }
  void leave(const Claim& claim) {
    group(claim).erase(&claim);
    entries_ -= claim.kind == Claim::Kind::entry ? 1 : 0;
  }

  LineRun run(std::uint64_t begin, std::uint64_t end) const {
    return {.begin = begin,
            .end = end,
            .owners = names(writers_),
            .owner_count = writers_.size(),
            .structures = names(structures_),
            .structure_count = structures_.size(),
            .stored = !stored_.empty(),
            .overlap = entries_ != 0 && writers_.size() > 1};
  }

 private:
  using Group = std::set<const Claim*>;  // by address: in the order they were claimed

  Group& group(const Claim& claim) {
    if (claim.kind == Claim::Kind::stored) return stored_;
    return claim.kind == Claim::Kind::structure ? structures_ : writers_;
  }
  static std::vector<std::string> names(const Group& group) {
    std::vector<std::string> out;
    for (const Claim* claim : group) {
      if (out.size() == LineRun::max_names) break;
      out.push_back(claim->name);
    }
    return out;
  }

  Group writers_, structures_, stored_;
  std::size_t entries_ = 0;
};

std::vector<LineRun> sweep(const std::vector<Claim>& claims) {
  std::map<std::uint64_t, std::vector<const Claim*>> starts;
  std::map<std::uint64_t, std::vector<const Claim*>> ends;
  std::set<std::uint64_t> boundaries{0};
  for (const Claim& c : claims) {
    if (c.begin >= c.end) continue;
    starts[c.begin].push_back(&c);
    ends[c.end].push_back(&c);
    boundaries.insert({c.begin, c.end});
  }
  std::vector<LineRun> out;
  ActiveClaims active;
  for (auto at = boundaries.begin(); std::next(at) != boundaries.end(); ++at) {
    for (const Claim* c : ends[*at]) active.leave(*c);
    for (const Claim* c : starts[*at]) active.enter(*c);
    out.push_back(active.run(*at, *std::next(at)));
  }
  return out;
}

}  // namespace

std::vector<LineRun> line_map(const Block& block, const StructureMap& map,
                              const std::vector<DirectEntry>& direct, const SlotTable& slots) {
  const PositionArray* positions = block.skinned_positions();
  if (positions == nullptr) return {};
  std::vector<Claim> claims = claims_of_writers(block, direct, slots);
  const std::uint64_t stored = std::uint64_t{positions->header.count} * vertex_stride;
  claims.push_back(claim(Claim::Kind::stored, 0, stored, ""));
  std::uint64_t end = 0;
  for (const Claim& c : claims) end = std::max(end, c.end);
  claim_structures(map, positions->data_at, end, claims);
  return sweep(claims);
}

}  // namespace lockline::harness
