#include "tests/conformance/expect.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/palette.hpp"

namespace lockline::conformance {
namespace {

tl::unexpected<std::string> refuse(std::string why) {
  return tl::unexpected<std::string>(std::move(why));
}

emu::MachineOptions options_for(Core core) {
  emu::MachineOptions options;
  options.profile = &profile_of(core);
  options.block_address = block_address;
  options.routines = {.sk1 = 0x80523E0C, .sk2 = 0x80524024, .skacc = 0x80524244};
  options.max_faults = most_faults;
  // Both kinds of kernels meet Dolphin: the reference its interpreter, the default ones its JIT.
  if (core == Core::interpreter) options.kernels = &emu::scalar_kernels();
  return options;
}

void fill(emu::AddressSpace& space, std::uint32_t begin, std::uint32_t end, std::uint8_t value) {
  std::fill_n(space.cpu(begin, end - begin), end - begin, value);
}

/// Follows the lines that hold anything; the guest program has the same loop (guest/frame.c).
class Digest {
 public:
  void lines(emu::AddressSpace& space, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t at = begin; at != end; at += cache_line) line(at, space.cpu(at, cache_line));
  }
  Buffer result() const {
    Buffer out(cache_line);
    store_be(out.data(), hash_);
    store_be(out.data() + 4, used_);
    return out;
  }

 private:
  void line(std::uint32_t address, const std::uint8_t* p) {
    if (std::all_of(p, p + cache_line, [](std::uint8_t b) { return b == 0; })) return;
    ++used_;
    fold(address);
    for (std::uint32_t i = 0; i < cache_line; i += 4) fold(load_be<std::uint32_t>(p + i));
  }
  void fold(std::uint32_t word) { hash_ = (hash_ ^ word) * 0x01000193; }
  std::uint32_t hash_ = 0x811C9DC5, used_ = 0;
};

Buffer digest_around_block(emu::Machine& machine) {
  Digest digest;
  const std::uint32_t after = block_address + machine.model().block_bytes / cache_line * cache_line;
  digest.lines(machine.memory(), window_begin, block_address);
  digest.lines(machine.memory(), after, window_end);
  return digest.result();
}

/// Why a frame that ran says nothing about Dolphin, or an empty text.
std::string undefined(const emu::Machine& machine, const emu::FrameResult& result, Bytes flush_before) {
  for (const emu::Fault& fault : result.faults) {
    if (fault.kind == emu::FaultKind::foreign_bone) return "a bone past the palette";
  }
  for (const emu::Write& w : machine.trace().writes()) {
    if (w.address < window_begin || w.end() > window_end) return "writes outside the window";
  }
  const std::uint32_t flush = machine.model().skn - block_address + 0x1C;
  const Bytes now = machine.block().subspan(flush, flush_before.size());
  if (!std::equal(now.begin(), now.end(), flush_before.begin())) return "the flush list overwritten";
  return "";
}

}  // namespace

const emu::Profile& profile_of(Core core) {
  static const emu::Profile interpreter = [] {
    emu::Profile p = emu::dolphin_5;
    p.stored_nan = 0;
    return p;
  }();
  return core == Core::jit ? emu::dolphin_5 : interpreter;
}

tl::expected<void, std::string> Emulator::load(const Case& c) {
  const auto block = parse_block(c.block);
  if (!block || !block->skn) return refuse("no skin");
  if (!contains(c.block.size(), block->skn->at, Skn::header_bytes)) return refuse("no whole SKN header");
  if (c.block.size() > window_end - block_address) return refuse("larger than the window");
  if (machine_) {
    if (!machine_->reload(c.block, *block)) return refuse("cannot be loaded");
    return {};
  }
  auto machine = emu::Machine::load(c.block, *block, options_for(core_));
  if (!machine) return refuse("cannot be loaded");
  machine_ = std::move(*machine);
  if (poison_ != 0) {
    fill(machine_->memory(), emu::mem1_address, window_begin, poison_);
    fill(machine_->memory(), window_end, emu::mem1_address + emu::mem1_bytes, poison_);
    fill(machine_->memory(), emu::mem2_address, emu::mem2_address + emu::mem2_bytes, poison_);
  }
  return {};
}

tl::expected<Expectation, std::string> Emulator::run(const Case& c) {
  const auto palette = parse_palette(c.palette);
  if (!palette) return refuse("no palette");
  if (auto loaded = load(c); !loaded) {
    machine_.reset();
    return refuse(loaded.error());
  }
  const std::uint32_t flush = machine_->model().skn - block_address + 0x1C;
  Expectation expectation;
  for (std::uint32_t f = 0; f < palette->frames; ++f) {
    const emu::FrameResult result = machine_->frame(palette->frame(f));
    if (std::string why = undefined(*machine_, result, Bytes(c.block).subspan(flush, 8)); !why.empty()) {
      machine_.reset();  // what was written elsewhere would stay
      return refuse(why);
    }
    for (const emu::Fault& fault : result.faults) expectation.lines.push_back(fault.dolphin_line_mapped());
    if (result.stopped) {
      expectation.memory.clear();
      return expectation;
    }
    const Bytes block = machine_->block();
    expectation.memory.insert(expectation.memory.end(), block.begin(), block.end());
  }
  const Buffer digest = digest_around_block(*machine_);
  expectation.memory.insert(expectation.memory.end(), digest.begin(), digest.end());
  return expectation;
}

void put_expectation(Buffer& file, const Expectation& expectation) {
  put_chunk(file, fmt::format("{}", fmt::join(expectation.lines, "\n")));
  put_chunk(file, expectation.memory);
}

}  // namespace lockline::conformance
