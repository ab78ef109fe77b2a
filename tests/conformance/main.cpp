#include <fmt/format.h>

#include <charconv>
#include <map>
#include <span>

#include "tests/conformance/operations.hpp"

/// See README.md. Exit codes: 0 done, 2 usage or files.
namespace lockline::conformance {
namespace {

constexpr int usage_error = 2;

/// "--name VALUE" from the command line, or the default.
std::string option(std::span<char*> arguments, std::string_view name, std::string otherwise) {
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == name) return arguments[i + 1];
  return otherwise;
}

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

int done(bool good, std::string_view path) {
  if (!good) fmt::print(stderr, "lockline-conformance: cannot write {}\n", path);
  return good ? 0 : usage_error;
}

/// Keeps the cases whose result the guest program can show, and counts why others are left out.
class Selection {
 public:
  bool take(const Case& c) {
    const auto plain = plain_.run(c), poisoned = poisoned_.run(c);
    if (!plain) return leave_out(plain.error());
    if (!poisoned) return leave_out(poisoned.error());
    if (plain->memory != poisoned->memory || plain->lines != poisoned->lines)
      return leave_out("reads outside the window");
    put_case(file_, c);
    return true;
  }
  bool leave_out(const std::string& why) {
    ++left_out_[why];
    return false;
  }
  const Buffer& file() const { return file_; }
  void print() const {
    for (const auto& [why, count] : left_out_) fmt::print("left out: {} ({})\n", count, why);
  }

 private:
  Emulator plain_{Core::jit}, poisoned_{Core::jit, 0xA5};
  Buffer file_;
  std::map<std::string, unsigned> left_out_;
};

int make_cases(std::span<char*> a) {
  const std::uint64_t seed = number(option(a, "--seed", "1"));
  const std::uint64_t wanted = number(option(a, "--random", "0"));
  Selection selection;
  for (const Case& c : corpus_cases(seed)) selection.take(c);
  for (const Case& c : vector_cases(option(a, "--vectors", "tests/vectors"))) selection.take(c);
  std::uint64_t taken = 0;
  for (std::uint32_t i = 0; taken < wanted && i < 10 * wanted; ++i) {
    const auto c = random_case(seed, i);
    taken += c && selection.take(*c) ? 1 : 0;
  }
  selection.print();
  return done(write_file(a[0], selection.file()), a[0]);
}

int expect(std::span<char*> a, Core core) {
  const Buffer cases = read_file(a[0]);
  ChunkReader reader(cases);
  Emulator emulator(core);
  Buffer out;
  while (const auto c = next_case(reader))
    put_expectation(out, emulator.run(*c).value_or(Expectation{{"no defined result"}, {}}));
  return done(write_file(a[1], out), a[1]);
}

int operations(std::span<char*> a, Core core) {
  const OperationResults r = run_operations(read_file(a[0]), core);
  const Bytes faults(reinterpret_cast<const std::uint8_t*>(r.faults.data()), r.faults.size());
  return done(write_file(a[1], r.results) && write_file(a[2], faults), a[1]);
}

int run(std::span<char*> a) {
  const std::string_view command = a.size() > 1 ? a[1] : "";
  const Core core = option(a, "--core", "jit") == "interpreter" ? Core::interpreter : Core::jit;
  if (command == "cases" && a.size() > 2) return make_cases(a.subspan(2));
  if (command == "expect" && a.size() > 3) return expect(a.subspan(2), core);
  if (command == "operations" && a.size() > 4) return operations(a.subspan(2), core);
  fmt::print(stderr,
             "lockline-conformance cases OUT [--vectors FOLDER] [--seed S] [--random N]\n"
             "lockline-conformance expect CASES OUT [--core interpreter|jit]\n"
             "lockline-conformance operations IN RESULTS FAULTS [--core interpreter|jit]\n");
  return usage_error;
}

}  // namespace
}  // namespace lockline::conformance

int main(int argc, char** argv) {
  return lockline::conformance::run({argv, static_cast<std::size_t>(argc)});
}
