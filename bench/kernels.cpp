#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "emu/kernels.hpp"
#include "formats/view.hpp"

namespace lockline::bench {
namespace {

using emu::Kernels;
using emu::KernelSettings;

/// About this many vertices in entries of equal length: 2 x 48 KB, so that it sits in L2, mostly L1.
constexpr std::uint32_t total_vertices = 4096;

/// Entries with data of their own, one after another.
struct Entries {
  std::uint32_t length, entries;
  std::vector<std::uint8_t> source, destination, weights, indices;
  Matrix m1{0.8F, 0.6F, 0, -0.6F, 0.8F, 0, 0, 0, 1, 0.5F, -1, 2};
  Matrix m2{1, 0, 0, 0, 0.8F, 0.6F, 0, -0.6F, 0.8F, 1, 0.25F, 0};

  explicit Entries(std::uint32_t vertices)
      : length(vertices),
        entries(total_vertices / vertices),
        source(std::size_t{length} * entries * vertex_stride),
        destination(source.size()),
        weights(std::size_t{2} * length * entries),
        indices(std::size_t{2} * length) {
    std::mt19937 random(1);
    for (auto& byte : source) byte = static_cast<std::uint8_t>(random());
    for (auto& byte : weights) byte = static_cast<std::uint8_t>(random());
    for (std::uint32_t k = 0; k < length; ++k)
      store_be(indices.data() + 2 * k, static_cast<std::uint16_t>(k));
  }

  /// Destinations that are distinct and in no order.
  void shuffle() {
    for (std::uint32_t k = 0; k < length; ++k)
      store_be(indices.data() + 2 * k, static_cast<std::uint16_t>(k * 37 % length));
  }
};

using Call = void (*)(const Kernels&, Entries&, std::size_t vertex, const KernelSettings&);

void call_sk1(const Kernels& kernels, Entries& e, std::size_t vertex, const KernelSettings& settings) {
  const std::size_t at = vertex * vertex_stride;
  kernels.sk1(e.destination.data() + at, e.source.data() + at, e.length, e.m1, settings);
}
void call_sk2(const Kernels& kernels, Entries& e, std::size_t vertex, const KernelSettings& settings) {
  const std::size_t at = vertex * vertex_stride;
  kernels.sk2(e.destination.data() + at, e.source.data() + at, e.weights.data() + 2 * vertex, e.length, e.m1,
              e.m2, settings);
}
void call_skacc(const Kernels& kernels, Entries& e, std::size_t vertex, const KernelSettings& settings) {
  const std::size_t at = vertex * vertex_stride;
  kernels.skacc(e.destination.data() + at, e.source.data() + at, e.indices.data(), e.weights.data() + vertex,
                e.length, e.m1, settings);
}

struct Kind {
  const char* name;
  Call call;
  std::size_t bytes;  ///< read and written per vertex
  bool shuffled = false;
};
constexpr Kind kinds[] = {{"SK1", call_sk1, 24},
                          {"SK2", call_sk2, 26},
                          {"SKAcc", call_skacc, 39},
                          {"SKAcc shuffled", call_skacc, 39, true}};

void measure(benchmark::State& state, const Kind& kind, const Kernels& kernels, std::uint32_t length,
             const emu::Profile& profile) {
  Entries e(length);
  if (kind.shuffled) e.shuffle();
  const KernelSettings settings(10, profile);
  for (auto _ : state) {
    for (std::uint32_t entry = 0; entry < e.entries; ++entry)
      kind.call(kernels, e, std::size_t{entry} * length, settings);
    benchmark::ClobberMemory();
  }
  const std::size_t vertices = std::size_t{length} * e.entries;
  state.counters["vertices/s"] =
      benchmark::Counter(static_cast<double>(vertices), benchmark::Counter::kIsIterationInvariantRate);
  count_bytes(state, vertices * kind.bytes);
}

void add(const Kind& kind, const Kernels& kernels, std::uint32_t length, const emu::Profile& profile) {
  const std::string name = std::string(kind.name) + "/" + kernels.name + "/" + std::string(profile.name) +
                           "/" + std::to_string(length);
  benchmark::RegisterBenchmark(name.c_str(), measure, kind, std::cref(kernels), length, std::cref(profile));
}

}  // namespace

void register_kernels() {
  for (const Kind& kind : kinds) {
    for (const Kernels* kernels : emu::all_kernels()) {
      for (const std::uint32_t length : {3U, 8U, 32U, 86U, 340U, 682U})
        add(kind, *kernels, length, emu::dolphin);
      add(kind, *kernels, 682, emu::dolphin_5);
    }
  }
}

}  // namespace lockline::bench
