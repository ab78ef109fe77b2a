#include "tests/conformance/operations.hpp"

#include <fmt/format.h>

#include <cmath>

#include "emu/arithmetic.hpp"
#include "emu/bus.hpp"
#include "emu/quantize.hpp"

namespace lockline::conformance {
namespace {

using emu::QuantizedType;

enum class Op : std::uint8_t { load = 1, store, arithmetic, dma, dcbz, read, write, fill, scan };
constexpr std::uint32_t non_ieee = 4;  // FPSCR[NI]
constexpr std::uint32_t step = 0x01000193;
constexpr std::uint8_t pair_width = 5;  // of a read: psq_l of two s16

/// 32 bytes: operation | variant << 8 | announce << 31, then seven words.
struct Operation {
  Op op;
  std::uint8_t variant;
  bool announced;
  std::array<std::uint32_t, 7> words;

  explicit Operation(const std::uint8_t* p)
      : op(static_cast<Op>(p[3])), variant(p[2]), announced((p[0] & 0x80) != 0) {
    for (unsigned i = 0; i < words.size(); ++i) words[i] = load_be<std::uint32_t>(p + 4 + 4 * i);
  }
  float single(unsigned i) const { return std::bit_cast<float>(words[i]); }
  bool flushes(unsigned fpscr_word) const { return (words[fpscr_word] & non_ieee) != 0; }
};

using Pair = std::array<float, 2>;
using Result = std::array<std::uint32_t, 8>;

/// A register's half as the guest stores it: a double, every NaN alike.
void put_double(Result& result, unsigned at, float value) {
  const auto bits = std::isnan(value) ? 0x7FF8000000000000ULL : std::bit_cast<std::uint64_t>(double{value});
  result[at] = static_cast<std::uint32_t>(bits >> 32);
  result[at + 1] = static_cast<std::uint32_t>(bits);
}

Result doubles(Pair pair) {
  Result result{};
  put_double(result, 0, pair[0]);
  put_double(result, 2, pair[1]);
  return result;
}

QuantizedType type_of(std::uint32_t gqr) {
  return static_cast<QuantizedType>(gqr & 7);
}
int scale_of(std::uint32_t gqr) {
  return emu::gqr_scale(static_cast<std::uint8_t>(gqr >> 8));
}

Result quantized_load(const Operation& o) {
  std::array<std::uint8_t, 8> raw;
  store_be(raw.data(), o.words[1]);
  store_be(raw.data() + 4, o.words[2]);
  const QuantizedType type = type_of(o.words[0]);
  const int scale = scale_of(o.words[0]);
  const float first = emu::dequantize(type, raw.data(), scale);
  const bool single = o.variant != 0;
  return doubles({first, single ? 1.0F : emu::dequantize(type, raw.data() + emu::bytes_of(type), scale)});
}

/// What is not in a profile since no s16 pair shows it: a lone NaN in the JIT, denormals stored as float.
emu::StoreRules store_rules(const Operation& o, Core core) {
  const bool single = o.variant != 0;
  return {.nan = core == Core::interpreter ? emu::StoredNan::zero
                 : single                  ? emu::StoredNan::lowest
                                           : emu::StoredNan::highest,
          .flush_floats = core == Core::interpreter || o.flushes(6)};
}

/// A store's operand on its way through psq_l: the JIT makes a signalling NaN quiet.
float operand(const Operation& o, unsigned i, Core core) {
  constexpr std::uint32_t quiet = 0x00400000;
  const bool silences = core == Core::jit && std::isnan(o.single(i));
  return silences ? std::bit_cast<float>(o.words[i] | quiet) : o.single(i);
}

Result quantized_store(const Operation& o, Core core) {
  std::array<std::uint8_t, 8> memory;
  memory.fill(0xAA);
  const QuantizedType type = type_of(o.words[0]);
  const int scale = scale_of(o.words[0]);
  const emu::StoreRules rules = store_rules(o, core);
  emu::quantize(type, operand(o, 1, core), scale, rules, memory.data());
  if (o.variant == 0)
    emu::quantize(type, operand(o, 2, core), scale, rules, memory.data() + emu::bytes_of(type));
  return {load_be<std::uint32_t>(memory.data()), load_be<std::uint32_t>(memory.data() + 4)};
}

/// The machine's multiply-add; without NI the same before it flushes. Dolphin's interpreter flushes by the
/// double (emu/README.md): no kernel can show that.
float multiply_add(float a, float c, float b, bool flushes, Core core) {
  if (!flushes) return emu::ThroughDouble::multiply_add(a, c, b);
  const double sum = static_cast<double>(a) * c + b;
  if (core == Core::interpreter && std::abs(sum) < 0x1p-126)
    return static_cast<float>(std::copysign(0.0, sum));
  return emu::multiply_add(profile_of(core), a, c, b);
}
float multiply(float a, float c, bool flushes, Core core) {
  if (!flushes) return emu::rounded(a * c);
  const double product = static_cast<double>(a) * c;
  if (core == Core::interpreter && std::abs(product) < 0x1p-126)
    return static_cast<float>(std::copysign(0.0, product));
  return emu::multiply(profile_of(core), a, c);
}

Result arithmetic(const Operation& o, Core core) {
  enum Name : std::uint8_t { madds0, madds1, madd, muls0, muls1, mul, add, merge10 };
  const bool flushes = o.flushes(0);
  const Pair a{o.single(1), o.single(2)}, b{o.single(3), o.single(4)}, c{o.single(5), o.single(6)};
  const auto lanes = [&](unsigned first, unsigned second) {
    return doubles({multiply_add(a[0], c[first], b[0], flushes, core),
                    multiply_add(a[1], c[second], b[1], flushes, core)});
  };
  const auto product_lanes = [&](unsigned first, unsigned second) {
    return doubles({multiply(a[0], c[first], flushes, core), multiply(a[1], c[second], flushes, core)});
  };
  switch (o.variant) {
    case madds0:
      return lanes(0, 0);
    case madds1:
      return lanes(1, 1);
    case madd:
      return lanes(0, 1);
    case muls0:
      return product_lanes(0, 0);
    case muls1:
      return product_lanes(1, 1);
    case mul:
      return product_lanes(0, 1);
    case add:
      return doubles(
          {multiply_add(a[0], 1, b[0], flushes, core), multiply_add(a[1], 1, b[1], flushes, core)});
    default:
      return doubles({a[1], b[0]});
  }
}

/// A console without a model: address space, DMA engine and bus.
class Console {
 public:
  explicit Console(Core core) : space_(profile_of(core)) {
    options_.profile = &profile_of(core);
    options_.max_faults = emu::max_fault_limit;
  }

  Result run(const Operation& o) {
    const std::uint32_t address = o.words[0];
    switch (o.op) {
      case Op::dma:
        execute(space_, {o.words[0], o.words[1]});
        return {};
      case Op::dcbz:
        bus_->write(address & ~(cache_line - 1), std::array<std::uint8_t, cache_line>{},
                    emu::WriteKind::clear);
        return {};
      case Op::read:
        return read(address, o.variant);
      case Op::write:
        bus_->write(address, word_bytes(o.words[1]), emu::WriteKind::accumulate);
        return {};
      case Op::fill:
        for (std::uint32_t i = 0; i < o.words[1] / 4; ++i)
          bus_->write(address + 4 * i, word_bytes(o.words[2] + i * step), emu::WriteKind::accumulate);
        return {};
      default:
        return scan(address, o.words[1], o.words[2]);
    }
  }

  /// The faults since the last call.
  std::vector<emu::Fault> take_faults() {
    auto faults = bus_->take_result().faults;
    bus_.emplace(context_);
    return faults;
  }

 private:
  static std::array<std::uint8_t, 4> word_bytes(std::uint32_t word) {
    std::array<std::uint8_t, 4> bytes;
    store_be(bytes.data(), word);
    return bytes;
  }

  Result read(std::uint32_t address, std::uint8_t width) {
    if (width == 1) return {bus_->read<std::uint8_t>(address)};
    if (width == 2) return {bus_->read<std::uint16_t>(address)};
    const auto word = bus_->read<std::uint32_t>(address);
    if (width != pair_width) return {word};
    const auto half = word_bytes(word);
    return doubles({emu::dequantize(QuantizedType::s16, half.data(), 0),
                    emu::dequantize(QuantizedType::s16, half.data() + 2, 0)});
  }

  /// What differs from a fill: hash of all, changed lines, first and last changed line.
  Result scan(std::uint32_t address, std::uint32_t size, std::uint32_t seed) {
    Result r{0x811C9DC5, 0, ~0U, ~0U};
    for (std::uint32_t i = 0; i < size / 4; ++i) {
      const auto got = bus_->read<std::uint32_t>(address + 4 * i);
      const std::uint32_t line = i / 8 * 32;
      r[0] = (r[0] ^ got) * step;
      if (got == seed + i * step || line == r[3]) continue;
      ++r[1];
      r[3] = line;
      if (r[2] == ~0U) r[2] = line;
    }
    return r;
  }

  emu::AddressSpace space_;
  emu::MachineOptions options_;
  emu::LoadedModel model_;
  emu::FacialSection facial_;
  emu::Trace trace_;
  emu::FrameContext context_{space_, options_, model_, facial_, {}, nullptr, trace_, nullptr};
  std::optional<emu::Bus> bus_{context_};
};

Result run(const Operation& o, Console& console, Core core) {
  switch (o.op) {
    case Op::load:
      return quantized_load(o);
    case Op::store:
      return quantized_store(o, core);
    case Op::arithmetic:
      return arithmetic(o, core);
    default:
      return console.run(o);
  }
}

}  // namespace

OperationResults run_operations(Bytes operations, Core core) {
  constexpr std::size_t bytes = 32;
  OperationResults out;
  out.results.resize(operations.size() / bytes * bytes);
  Console console(core);
  for (std::size_t at = 0; at + bytes <= operations.size(); at += bytes) {
    const Result result = run(Operation(operations.data() + at), console, core);
    for (unsigned i = 0; i < result.size(); ++i) store_be(out.results.data() + at + 4 * i, result[i]);
    for (const emu::Fault& fault : console.take_faults()) {
      const std::string line = fault.dolphin_line_mapped();  // "Unable to resolve read address A PC ..."
      const std::string_view said = std::string_view(line).substr(sizeof("Unable to resolve"));
      out.faults +=
          fmt::format("{} {} {:0>8}\n", at / bytes, said.substr(0, said.find(' ')),
                      said.substr(said.find("address ") + 8, said.find(" PC ") - said.find("address ") - 8));
    }
  }
  return out;
}

}  // namespace lockline::conformance
