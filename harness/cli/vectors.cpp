#include <fmt/format.h>

#include "emu/machine.hpp"
#include "emu/run_vectors.hpp"
#include "harness/cli/options.hpp"
#include "harness/cli/session.hpp"

namespace lockline::cli {
namespace {

struct Arguments {
  std::string file, out;
  const emu::Profile* profile = emu::MachineOptions{}.profile;
  const emu::Kernels* kernels = emu::MachineOptions{}.kernels;
};

void run(const Arguments& a, Session& session) {
  const auto bytes = session.take(a.file, read_file(a.file, max_input_bytes));
  if (!bytes) return;
  const auto vectors = session.take(a.file, parse_kernel_vectors(*bytes));
  if (!vectors) return;
  const auto result = emu::run_vectors(*vectors, *a.kernels, *a.profile);
  if (session.check(a.out, write_file(a.out, result, {a.file})))
    fmt::print(stderr, "{} cases, {} kernels\n", vectors->cases.size(), a.kernels->name);
}

}  // namespace

void add_vectors(CLI::App& app, Session& session) {
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("vectors", "Run a kernel vector file and write the destinations");
  command->add_option("file", a->file, "Kernel vectors, as tests/vectors/README.md defines them")
      ->required()
      ->type_name("FILE.in");
  command->add_option("--out", a->out, "Where the destinations go")->required()->type_name("FILE");
  add_profile(*command, a->profile);
  add_core(*command, a->kernels);
  command->footer("Example:\n  lockline vectors rounding.in --profile console --out rounding.out\n");
  command->callback([a, &session] { run(*a, session); });
}

}  // namespace lockline::cli
