#include "harness/entries.hpp"

#include <fmt/format.h>

namespace lockline::harness {

std::string DirectEntry::name() const {
  return fmt::format("{}[{}]", is_sk1 ? "SK1" : "SK2", index);
}

std::vector<DirectEntry> direct_entries(const Block& block) {
  std::vector<DirectEntry> out;
  if (!block.skn) return out;
  const auto add = [&](bool is_sk1, const auto& entries) {
    for (const auto& e : entries) {
      out.push_back({.is_sk1 = is_sk1,
                     .index = static_cast<std::uint32_t>(&e - entries.data()),
                     .at = e.at,
                     .source = e.source,
                     .destination = e.destination,
                     .count = e.count,
                     .vertex_offset = e.vertex_offset});
    }
  };
  add(true, block.skn->sk1);
  add(false, block.skn->sk2);
  return out;
}

std::vector<std::uint64_t> destinations(const SkAccEntry& entry) {
  std::vector<std::uint64_t> out;
  out.reserve(entry.indices.size());
  for (const std::uint16_t index : entry.indices)
    out.push_back(std::uint64_t{entry.destination} + index * vertex_stride);
  return out;
}

}  // namespace lockline::harness
