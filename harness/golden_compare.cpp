#include "harness/golden_compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/structure_map.hpp"

namespace lockline::harness {
namespace {

constexpr std::array<const char*, 6> components{"x", "y", "z", "normal x", "normal y", "normal z"};

/// The first place below `size` where they differ; `size` when none.
std::uint32_t first_unequal(Bytes a, Bytes b, std::uint32_t size) {
  const auto [at, other] = std::mismatch(a.begin(), a.begin() + size, b.begin());
  return static_cast<std::uint32_t>(at - a.begin());
}

std::optional<ByteDifference> in_positions(Bytes recorded, Piece old_place, Bytes now, Piece place) {
  const std::uint32_t size = std::min(old_place.size(), place.size());
  const Bytes a = recorded.subspan(old_place.begin, size), b = now.subspan(place.begin, size);
  const std::uint32_t byte = first_unequal(a, b, size);
  if (byte == size) return std::nullopt;
  const std::uint32_t component = byte / 2, slot = byte / vertex_stride;
  if (2 * component + 2 > size) return std::nullopt;
  const auto value = [&](Bytes bytes) { return load_be<std::int16_t>(bytes.data() + 2 * component); };
  const std::uint32_t at = place.begin + 2 * component;
  return ByteDifference{fmt::format("slot {}, byte {:#x}: {} was {}, is now {}", slot, place.begin + byte,
                                    components[component % components.size()], value(a), value(b)),
                        at, 2};
}

std::optional<ByteDifference> anywhere(Bytes recorded, Bytes now, const Block* block) {
  const auto size = static_cast<std::uint32_t>(std::min(recorded.size(), now.size()));
  const std::uint32_t at = first_unequal(recorded, now, size);
  if (at == size) {
    if (recorded.size() == now.size()) return std::nullopt;
    return ByteDifference{
        fmt::format("the block had {:#x} bytes, has now {:#x}", recorded.size(), now.size()), at, 0};
  }
  const std::string structure =
      block == nullptr ? "" : " (" + StructureMap(*block).describe(at, at + 1) + ")";
  return ByteDifference{
      fmt::format("byte {:#x}{} was {:#04x}, is now {:#04x}", at, structure, recorded[at], now[at]), at, 1};
}

}  // namespace

std::optional<FrameMismatch> first_mismatch(const GoldenFrames& recorded, const GoldenFrames& now,
                                            bool positions_only) {
  const std::size_t frames = std::min(recorded.frames.size(), now.frames.size());
  for (std::size_t f = 0; f < frames; ++f) {
    const FrameHash &a = recorded.frames[f], &b = now.frames[f];
    if (positions_only ? a.positions == b.positions : a == b) continue;
    return FrameMismatch{static_cast<std::uint32_t>(f), a.positions != b.positions, a.gpl != b.gpl,
                         a.rest != b.rest};
  }
  return std::nullopt;
}

std::string parts_text(const FrameMismatch& mismatch) {
  std::vector<const char*> parts;
  if (mismatch.positions) parts.push_back("positions");
  if (mismatch.gpl) parts.push_back("GPL");
  if (mismatch.rest) parts.push_back("rest");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> ending_differences(const GoldenFrames& recorded, const GoldenFrames& now) {
  std::vector<std::string> out;
  if (recorded.frames.size() != now.frames.size())
    out.push_back(fmt::format("had {} frames, has now {}", recorded.frames.size(), now.frames.size()));
  if (recorded.fault == now.fault) return out;
  const auto text = [](const std::optional<GoldenFault>& fault) {
    return fault ? fmt::format("frame {}, {}", fault->frame, fault->line) : std::string("none");
  };
  out.push_back(fmt::format("fault: was {}; is now {}", text(recorded.fault), text(now.fault)));
  return out;
}

std::optional<ByteDifference> first_difference(const FrameImage& recorded, const FrameImage& now) {
  const auto old_block = parse_block(recorded.model), block = parse_block(now.model);
  if (old_block && block) {
    const Piece old_place = stored_positions(*old_block), place = stored_positions(*block);
    if (auto found = in_positions(recorded.image, old_place, now.image, place)) return found;
  }
  return anywhere(recorded.image, now.image, block ? &*block : nullptr);
}

std::string author_text(const emu::Machine& machine, const ByteDifference& difference) {
  const std::uint32_t at = machine.model().block + difference.at;
  const emu::Write* write = machine.trace().last_writer(at, at + std::max(difference.bytes, 1U));
  return write == nullptr ? "nothing writes it in this frame" : "written by " + to_string(write->author);
}

}  // namespace lockline::harness
