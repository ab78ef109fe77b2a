#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "emu/machine.hpp"
#include "harness/poses.hpp"

namespace lockline::bench {
namespace {

struct Setting {
  const char* name;
  const emu::Kernels& kernels;
  bool trace;
};

void measure(benchmark::State& state, const std::string& model, const Setting& setting) {
  const auto bytes = corpus::find(model).and_then(corpus::build_bytes).value();
  const Block block = parse_block(bytes).value();
  emu::MachineOptions options;
  options.kernels = &setting.kernels;
  options.trace = setting.trace;
  auto machine = emu::Machine::load(bytes, block, options).value();
  const harness::Pose pose = harness::random_pose(block, 1, 1);
  for (auto _ : state) benchmark::DoNotOptimize(machine.frame(pose.matrices).stopped);
  std::size_t skinned = 0;
  for (const Sk1Entry& e : block.skn->sk1) skinned += e.count;
  for (const Sk2Entry& e : block.skn->sk2) skinned += e.count;
  for (const SkAccEntry& e : block.skn->acc) skinned += e.count;
  state.counters["vertices/s"] =
      benchmark::Counter(static_cast<double>(skinned), benchmark::Counter::kIsIterationInvariantRate);
  count_bytes(state, skinned * 2 * vertex_stride);
}

/// The frame's kernel calls and nothing else: what a frame cannot go below.
void measure_kernels(benchmark::State& state, const std::string& model) {
  const auto bytes = corpus::find(model).and_then(corpus::build_bytes).value();
  const Block block = parse_block(bytes).value();
  const harness::Pose pose = harness::random_pose(block, 1, 1);
  const emu::Kernels& kernels = emu::simd_kernels();
  const emu::KernelSettings settings(10, emu::dolphin);
  std::vector<std::uint8_t> memory(std::size_t{1} << 20);
  const std::vector<std::uint8_t> in(bytes);
  std::vector<std::uint8_t> in_a_row(2 * 4096);
  for (std::uint16_t k = 0; k < 4096; ++k) store_be(in_a_row.data() + 2 * k, k);
  for (auto _ : state) {
    std::uint8_t* out = memory.data();
    for (const Sk1Entry& e : block.skn->sk1) {
      kernels.sk1(out, in.data(), e.count, pose.matrices[e.bone], settings);
      out += e.count * vertex_stride;
    }
    for (const Sk2Entry& e : block.skn->sk2) {
      kernels.sk2(out, in.data(), in.data(), e.count, pose.matrices[e.bone1], pose.matrices[e.bone2],
                  settings);
      out += e.count * vertex_stride;
    }
    for (const SkAccEntry& e : block.skn->acc)
      kernels.skacc(out, in.data(), in_a_row.data(), in.data(), e.count, pose.matrices[e.bone], settings);
    benchmark::ClobberMemory();
  }
}

}  // namespace

void register_frames() {
  for (const char* model : {"luigi-shape", "mario-shape"}) {
    const std::string prefix = std::string("frame/") + model + "/";
    for (const Setting& setting : {Setting{"simd, trace", emu::simd_kernels(), true},
                                   Setting{"simd, no trace", emu::simd_kernels(), false},
                                   Setting{"scalar, trace", emu::scalar_kernels(), true},
                                   Setting{"scalar, no trace", emu::scalar_kernels(), false}}) {
      benchmark::RegisterBenchmark((prefix + setting.name).c_str(), measure, std::string(model), setting)
          ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark((prefix + "its kernels alone").c_str(), measure_kernels, std::string(model))
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace lockline::bench
