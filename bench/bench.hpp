#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>

/// Shared by the benchmarks. Each file registers its own group.
namespace lockline::bench {

void register_kernels();
void register_frames();
void register_models();

/// Bytes per second that memcpy reaches when it copies `bytes` between two buffers, measured on the spot.
double memcpy_rate(std::size_t bytes);

/// Sets the counters every benchmark has: bytes/s over `bytes` per iteration, and what fraction that is of a
/// memcpy of as many bytes in the same run.
void count_bytes(benchmark::State& state, std::size_t bytes);

}  // namespace lockline::bench
