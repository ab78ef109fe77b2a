#include <string>

#include "bench/bench.hpp"
#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "formats/structure_map.hpp"
#include "harness/rule.hpp"

namespace lockline::bench {
namespace {

using Work = void (*)(Bytes, const Block&);

void parse(Bytes bytes, const Block&) {
  benchmark::DoNotOptimize(parse_block(bytes).has_value());
}
void map(Bytes, const Block& block) {
  const StructureMap structure(block);
  benchmark::DoNotOptimize(&structure);
}
void rules(Bytes bytes, const Block& block) {
  benchmark::DoNotOptimize(harness::check_static(harness::Subject(bytes, block), {}).size());
}

void measure(benchmark::State& state, const std::string& model, Work work) {
  const auto bytes = corpus::find(model).and_then(corpus::build_bytes).value();
  const Block block = parse_block(bytes).value();
  for (auto _ : state) work(bytes, block);
  count_bytes(state, bytes.size());
}

}  // namespace

void register_models() {
  struct Row {
    const char* name;
    Work work;
  };
  for (const Row& row : {Row{"parse", parse}, Row{"structure map", map}, Row{"rules", rules}}) {
    for (const char* model : {"luigi-shape", "mario-shape"}) {
      benchmark::RegisterBenchmark((std::string(row.name) + "/" + model).c_str(), measure, std::string(model),
                                   row.work)
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace lockline::bench
