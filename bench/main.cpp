#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bench/bench.hpp"
#include "emu/kernels.hpp"

namespace lockline::bench {

double memcpy_rate(std::size_t bytes) {
  using Clock = std::chrono::steady_clock;
  const std::vector<std::uint8_t> from(bytes, 1);
  std::vector<std::uint8_t> to(bytes);
  const std::size_t copies = std::max<std::size_t>(16, (std::size_t{4} << 20) / bytes);
  double best = 0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < copies; ++i) {
      std::memcpy(to.data(), from.data(), bytes);
      benchmark::ClobberMemory();
    }
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    best = std::max(best, static_cast<double>(copies * bytes) / seconds.count());
  }
  return best;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  const auto per_iteration = static_cast<double>(bytes);
  state.counters["bytes/s"] =
      benchmark::Counter(per_iteration, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["fraction of memcpy"] =
      benchmark::Counter(per_iteration / memcpy_rate(bytes), benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace lockline::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("instruction set", lockline::emu::simd_kernels().name);
  lockline::bench::register_kernels();
  lockline::bench::register_frames();
  lockline::bench::register_models();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
