#include "emu/steps.hpp"

namespace lockline::emu {
namespace {

/// Program counters of a vertex's three loads inside the loop, relative to the routine. Source: runtime.md
/// step 4 (L, D).
struct LoadSites {
  std::array<std::uint32_t, 3> offsets;
};
constexpr LoadSites sk1_loads{{0xB8, 0xCC, 0xD8}};
constexpr LoadSites sk2_loads{{0x19C, 0x1B4, 0x1C4}};
constexpr LoadSites skacc_loads{{0xCC, 0xD4, 0xDC}};

/// Passes of a loop whose counter is decremented and tested at its end.
constexpr std::uint64_t passes(std::uint32_t counter) {
  return counter == 0 ? std::uint64_t{1} << 32 : counter;
}

/// One paired load of two s16; `sites` is nullptr for the vertex loaded before the loop.
void load_word(Bus& bus, std::uint32_t vertex, unsigned word, const LoadSites* sites, SkinVertex& v) {
  const auto pc = sites != nullptr ? std::optional(sites->offsets[word]) : std::nullopt;
  const auto pair = bus.read<std::uint32_t>(vertex + 4 * word, pc);
  v[2 * word] = static_cast<std::int16_t>(pair >> 16);
  v[2 * word + 1] = static_cast<std::int16_t>(pair & 0xFFFF);
}

void store_word(Bus& bus, std::uint32_t vertex, unsigned word, const SkinVertex& v) {
  std::array<std::uint8_t, 4> bytes;
  store_be(bytes.data(), v[2 * word]);
  store_be(bytes.data() + 2, v[2 * word + 1]);
  bus.write(vertex + 4 * word, bytes, WriteKind::accumulate);
}

SkinVertex load_vertex(Bus& bus, std::uint32_t address, const LoadSites* sites) {
  SkinVertex v{};
  for (unsigned word = 0; word < 3 && !bus.stopped(); ++word) load_word(bus, address, word, sites, v);
  return v;
}

void store_vertex(Bus& bus, std::uint32_t address, const SkinVertex& v) {
  for (unsigned word = 0; word < 3 && !bus.stopped(); ++word) store_word(bus, address, word, v);
  ++bus.stored;
}

std::array<std::uint8_t, 2> load_weights(Bus& bus, std::uint32_t address) {
  const auto pair = bus.read<std::uint16_t>(address);
  return {static_cast<std::uint8_t>(pair >> 8), static_cast<std::uint8_t>(pair & 0xFF)};
}

}  // namespace

void sk1_vertex_loop(Bus& bus, std::uint32_t first, std::uint32_t count, const Matrix& m,
                     const KernelSettings& settings) {
  bus.stored = 0;
  std::uint32_t address = first;
  SkinVertex current = load_vertex(bus, address, nullptr);
  for (std::uint64_t left = passes(count - 1); left != 0 && !bus.stopped(); --left) {
    const SkinVertex next = load_vertex(bus, address + vertex_stride, &sk1_loads);
    if (bus.stopped()) return;
    store_vertex(bus, address, store(transform_sk1(current, m, settings), settings));
    current = next;
    address += vertex_stride;
  }
  if (!bus.stopped()) store_vertex(bus, address, store(transform_sk1(current, m, settings), settings));
}

void sk2_vertex_loop(Bus& bus, std::uint32_t first, std::uint32_t weights, std::uint32_t count,
                     const Matrix& m1, const Matrix& m2, const KernelSettings& settings) {
  bus.stored = 0;
  std::uint32_t address = first;
  SkinVertex current = load_vertex(bus, address, nullptr);
  auto pair = load_weights(bus, weights);
  for (std::uint64_t left = passes(count - 1); left != 0 && !bus.stopped(); --left) {
    const SkinVertex out = store(transform_sk2(current, pair, m1, m2, settings), settings);
    // Word by word, the next weights after the first word: it shows when an overlong entry writes over its
    // own weights (assumption: the order of the suite's guest program).
    for (unsigned word = 0; word < 3 && !bus.stopped(); ++word) {
      load_word(bus, address + vertex_stride, word, &sk2_loads, current);
      if (bus.stopped()) return;
      store_word(bus, address, word, out);
      if (word == 0) pair = load_weights(bus, weights + 2);
    }
    ++bus.stored;
    address += vertex_stride;
    weights += 2;
  }
  if (!bus.stopped())
    store_vertex(bus, address, store(transform_sk2(current, pair, m1, m2, settings), settings));
}

void skacc_vertex_loop(Bus& bus, const AccBuffers& buffers, std::uint32_t destination, std::uint32_t count,
                       const Matrix& m, const KernelSettings& settings) {
  bus.stored = 0;
  AccBuffers at = buffers;
  SkinVertex current = load_vertex(bus, at.source, nullptr);
  auto index = bus.read<std::uint16_t>(at.indices);
  auto weight = bus.read<std::uint8_t>(at.weights);
  for (std::uint64_t left = passes(count); left != 0 && !bus.stopped(); --left) {
    at = {.source = at.source + vertex_stride, .indices = at.indices + 2, .weights = at.weights + 1};
    const SkinVertex next = load_vertex(bus, at.source, &skacc_loads);
    if (bus.stopped()) return;
    const auto next_index = bus.read<std::uint16_t>(at.indices);
    const auto next_weight = bus.read<std::uint8_t>(at.weights);
    const std::uint32_t target = destination + index * vertex_stride;
    const SkinVertex sum = load_vertex(bus, target, nullptr);
    if (bus.stopped()) return;
    store_vertex(bus, target, store(transform_skacc(current, weight, sum, m, settings), settings));
    current = next;
    index = next_index;
    weight = next_weight;
  }
}

}  // namespace lockline::emu
