#include "emu/frame.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "emu/bus.hpp"
#include "emu/quantize.hpp"
#include "emu/steps.hpp"
#include "formats/matrix.hpp"

namespace lockline::emu {
namespace {

/// Field offsets of the SKN header and entries. Source: formats.md "SKN".
namespace field {
constexpr std::uint32_t sk1_count = 0x00, sk2_count = 0x02, acc_count = 0x04, quantize_info = 0x06;
constexpr std::uint32_t sk1_array = 0x08, sk2_array = 0x0C, acc_array = 0x10, memclr_pointer = 0x14,
                        memclr_size = 0x18;
}  // namespace field

/// Where the library keeps its buffers in the locked cache. Source: runtime.md "Once".
namespace buffer {
constexpr std::uint32_t b0 = locked_cache_address, b1 = b0 + 0x1000, b2 = b0 + 0x2000, b3 = b0 + 0x3000;
constexpr std::uint32_t acc_set = 0x2000, acc_indices = 0x1000, acc_weights = 0x1800;
}  // namespace buffer

constexpr std::uint32_t lines_of(std::uint32_t bytes) {
  return (bytes + cache_line - 1) / cache_line;
}
constexpr bool odd(std::uint32_t i) {
  return (i & 1) != 0;
}

class Frame {
 public:
  explicit Frame(const FrameContext& context)
      : context_(context),
        bus_(context),
        kernels_(*context.options.kernels),
        exact_(context.options.exact_path) {}

  FrameResult run() {
    facial();
    if (context_.model.skn != 0) skin();
    return bus_.take_result();
  }

 private:
  void facial() {
    if (context_.poses != nullptr) apply_facial_poses(bus_, context_.facial, *context_.poses);
  }

  void skin() {
    set_gqr7();
    const auto acc_count = header<std::uint16_t>(field::acc_count);
    const bool clears = acc_count != 0;
    if (clears && context_.options.memclr == MemClr::store) memclr();
    sk1();
    sk2();
    if (clears && context_.options.memclr == MemClr::dcbz) memclr();
    if (clears) skacc();
  }

  // --- reading the section as it stands in memory ---

  template <BigEndian T>
  T header(std::uint32_t offset) {
    return bus_.read<T>(context_.model.skn + offset);
  }
  std::uint32_t skn_pointer(std::uint32_t raw) const {
    return context_.options.pointers == Pointers::addresses ? raw : context_.model.skn + raw;
  }
  std::uint32_t position_pointer(std::uint32_t raw) const {
    return context_.options.pointers == Pointers::addresses ? raw : context_.model.positions + raw;
  }

  struct Sk1 {
    std::uint32_t source, destination, bytes;
    std::uint16_t bone, count;
    std::uint8_t vertex_offset;
  };
  struct Sk2 {
    std::uint32_t source, weights, destination, bytes;
    std::uint16_t bone1, bone2, count;
    std::uint8_t vertex_offset;
  };
  struct Acc {
    std::uint32_t source, indices, destination, weights;
    std::uint16_t bone, count;
  };

  Sk1 read_sk1(std::uint32_t at) {
    Sk1 e{.source = skn_pointer(bus_.read<std::uint32_t>(at + 0x30)),
          .destination = position_pointer(bus_.read<std::uint32_t>(at + 0x34)),
          .bytes = 0,
          .bone = bus_.read<std::uint16_t>(at + 0x38),
          .count = bus_.read<std::uint16_t>(at + 0x3A),
          .vertex_offset = bus_.read<std::uint8_t>(at + 0x3C)};
    e.bytes = e.vertex_offset + e.count * vertex_stride;
    return e;
  }
  Sk2 read_sk2(std::uint32_t at) {
    Sk2 e{.source = skn_pointer(bus_.read<std::uint32_t>(at + 0x60)),
          .weights = skn_pointer(bus_.read<std::uint32_t>(at + 0x64)),
          .destination = position_pointer(bus_.read<std::uint32_t>(at + 0x68)),
          .bytes = 0,
          .bone1 = bus_.read<std::uint16_t>(at + 0x6C),
          .bone2 = bus_.read<std::uint16_t>(at + 0x6E),
          .count = bus_.read<std::uint16_t>(at + 0x70),
          .vertex_offset = bus_.read<std::uint8_t>(at + 0x72)};
    e.bytes = e.vertex_offset + e.count * vertex_stride;
    return e;
  }
  Acc read_acc(std::uint32_t at) {
    return {.source = skn_pointer(bus_.read<std::uint32_t>(at + 0x30)),
            .indices = skn_pointer(bus_.read<std::uint32_t>(at + 0x34)),
            .destination = position_pointer(bus_.read<std::uint32_t>(at + 0x38)),
            .weights = skn_pointer(bus_.read<std::uint32_t>(at + 0x3C)),
            .bone = bus_.read<std::uint16_t>(at + 0x40),
            .count = bus_.read<std::uint16_t>(at + 0x42)};
  }

  // --- step 3 ---

  void set_gqr7() {
    settings_ =
        KernelSettings(gqr_scale(header<std::uint8_t>(field::quantize_info)), *context_.options.profile);
  }

  // --- step 4 ---

  void sk1() {
    const auto count = header<std::uint16_t>(field::sk1_count);
    const std::uint32_t array = skn_pointer(header<std::uint32_t>(field::sk1_array));
    const auto entry = [&](std::uint32_t i) { return array + i * Sk1Entry::bytes; };
    const auto data = [](std::uint32_t i) { return odd(i) ? buffer::b2 : buffer::b0; };
    const auto load = [&](std::uint32_t i) {
      bus_.enter(Step::sk1, i);
      const Sk1 e = read_sk1(entry(i));
      transfer(&DmaCommand::load, data(i), e.source, lines_of(e.bytes));
    };
    if (count != 0) load(0);
    for (std::uint32_t i = 0; i < count && !bus_.stopped(); ++i) {
      if (i + 1 < count) load(i + 1);
      bus_.enter(Step::sk1, i);
      const Sk1 e = read_sk1(entry(i));
      const Matrix m = reorder_bone(e.bone, entry(i));
      if (bus_.stopped()) return;
      transform_sk1_entry(e, m, data(i));
      transfer(&DmaCommand::store, data(i), e.destination, lines_of(e.bytes));
    }
  }

  /// The multi-transaction path: 128 lines at a time, then the rest.
  template <class MakeCommand>
  void transfer(MakeCommand make, std::uint32_t locked_cache, std::uint32_t memory, std::uint32_t lines) {
    for (; lines >= dma_max_lines && !bus_.stopped(); lines -= dma_max_lines) {
      bus_.dma(make(locked_cache, memory, dma_max_lines));
      locked_cache += dma_max_lines * cache_line;
      memory += dma_max_lines * cache_line;
    }
    if (lines != 0 && !bus_.stopped()) bus_.dma(make(locked_cache, memory, lines));
  }

  void transform_sk1_entry(const Sk1& e, const Matrix& m, std::uint32_t data) {
    if (bus_.stopped()) return;
    const std::uint32_t first = data + e.vertex_offset;
    std::uint8_t* vertices = bus_.locked_cache(first, e.count * std::uint64_t{vertex_stride});
    if (e.count >= 2 && vertices != nullptr && !exact_) {
      kernels_.sk1(vertices, vertices, e.count, m, settings_);
    } else {
      sk1_vertex_loop(bus_, first, e.count, m, settings_);
    }
  }

  // --- step 5 ---

  void sk2() {
    const auto count = header<std::uint16_t>(field::sk2_count);
    const std::uint32_t array = skn_pointer(header<std::uint32_t>(field::sk2_array));
    const auto entry = [&](std::uint32_t i) { return array + i * Sk2Entry::bytes; };
    const auto data = [](std::uint32_t i) { return odd(i) ? buffer::b2 : buffer::b0; };
    const auto weights = [](std::uint32_t i) { return odd(i) ? buffer::b3 : buffer::b1; };
    const auto load = [&](std::uint32_t i) {
      bus_.enter(Step::sk2, i);
      const Sk2 e = read_sk2(entry(i));
      if (!bus_.stopped()) bus_.dma(DmaCommand::load(data(i), e.source, lines_of(e.bytes)));
      if (!bus_.stopped()) bus_.dma(DmaCommand::load(weights(i), e.weights, lines_of(e.count * 2U)));
    };
    if (count != 0) load(0);
    for (std::uint32_t i = 0; i < count && !bus_.stopped(); ++i) {
      if (i + 1 < count) load(i + 1);
      bus_.enter(Step::sk2, i);
      const Sk2 e = read_sk2(entry(i));
      const Matrix m1 = reorder_bone(e.bone1, entry(i));
      const Matrix m2 = reorder_bone(e.bone2, entry(i) + sizeof(Matrix));
      if (bus_.stopped()) return;
      transform_sk2_entry(e, m1, m2, data(i), weights(i));
      if (!bus_.stopped()) bus_.dma(DmaCommand::store(data(i), e.destination, lines_of(e.bytes)));
    }
  }

  void transform_sk2_entry(const Sk2& e, const Matrix& m1, const Matrix& m2, std::uint32_t data,
                           std::uint32_t weights) {
    const std::uint32_t first = data + e.vertex_offset;
    std::uint8_t* vertices = bus_.locked_cache(first, e.count * std::uint64_t{vertex_stride});
    const std::uint8_t* pairs = bus_.locked_cache(weights, e.count * 2U);
    const bool apart = e.bytes <= weights - data && e.count * 2U <= weights - data;
    if (e.count >= 2 && vertices != nullptr && pairs != nullptr && apart && !exact_) {
      kernels_.sk2(vertices, vertices, pairs, e.count, m1, m2, settings_);
    } else {
      sk2_vertex_loop(bus_, first, weights, e.count, m1, m2, settings_);
    }
  }

  // --- step 6 ---

  void memclr() {
    bus_.enter(Step::memclr, 0);
    const auto size = header<std::uint32_t>(field::memclr_size);
    const std::uint32_t address = position_pointer(header<std::uint32_t>(field::memclr_pointer));
    if (size == 0) return;
    if (context_.options.memclr == MemClr::dcbz) {
      // 2^32 bytes are 2^27 lines: the count itself cannot wrap.
      const auto lines = static_cast<std::uint32_t>((std::uint64_t{size} + cache_line - 1) / cache_line);
      clear(address & ~(cache_line - 1), lines, cache_line);
    } else {
      clear(address, size / 4, 4);
      clear(address + size / 4 * 4, size % 4, 1);
    }
  }

  /// `count` stores of `unit` zero bytes each.
  void clear(std::uint32_t address, std::uint32_t count, std::uint32_t unit) {
    constexpr std::array<std::uint8_t, cache_line> zeros{};
    for (std::uint32_t i = 0; i < count && !bus_.stopped(); ++i, address += unit) {
      bus_.write(address, Bytes(zeros).first(unit), WriteKind::clear);
    }
  }

  void skacc() {
    const auto count = header<std::uint16_t>(field::acc_count);
    const std::uint32_t array = skn_pointer(header<std::uint32_t>(field::acc_array));
    const auto entry = [&](std::uint32_t i) { return array + i * SkAccEntry::bytes; };
    const auto set = [](std::uint32_t i) { return buffer::b0 + (odd(i) ? buffer::acc_set : 0); };
    const auto load = [&](std::uint32_t i) {
      bus_.enter(Step::skacc, i);
      const Acc e = read_acc(entry(i));
      const auto single = [&](std::uint32_t locked_cache, std::uint32_t memory, std::uint32_t bytes) {
        if (!bus_.stopped()) bus_.dma(DmaCommand::load(locked_cache, memory, lines_of(bytes)));
      };
      single(set(i), e.source, e.count * vertex_stride);
      single(set(i) + buffer::acc_indices, e.indices, e.count * 2U);
      single(set(i) + buffer::acc_weights, e.weights, e.count);
    };
    if (count != 0 && !bus_.stopped()) load(0);
    for (std::uint32_t i = 0; i < count && !bus_.stopped(); ++i) {
      if (i + 1 < count) load(i + 1);
      bus_.enter(Step::skacc, i);
      const Acc e = read_acc(entry(i));
      const Matrix m = reorder_bone(e.bone, entry(i));
      if (bus_.stopped()) return;
      accumulate_entry(e, m, set(i));
    }
  }

  void accumulate_entry(const Acc& e, const Matrix& m, std::uint32_t set) {
    const AccBuffers buffers{
        .source = set, .indices = set + buffer::acc_indices, .weights = set + buffer::acc_weights};
    if (e.count == 0 || exact_ || !accumulate_fast(e, m, buffers)) {
      skacc_vertex_loop(bus_, buffers, e.destination, e.count, m, settings_);
    }
  }

  /// False when a source leaves the locked cache or a destination main memory: then the exact path finds out
  /// where.
  bool accumulate_fast(const Acc& e, const Matrix& m, const AccBuffers& buffers) {
    const std::uint8_t* source = bus_.locked_cache(buffers.source, (e.count + 1ULL) * vertex_stride);
    const std::uint8_t* indices = bus_.locked_cache(buffers.indices, (e.count + 1ULL) * 2);
    const std::uint8_t* weights = bus_.locked_cache(buffers.weights, e.count + 1ULL);
    if (source == nullptr || indices == nullptr || weights == nullptr) return false;
    if (!bus_.space().is_main_memory(e.destination)) return false;
    std::uint32_t highest = 0;
    for (std::uint32_t k = 0; k < e.count; ++k) {
      highest = std::max<std::uint32_t>(highest, load_be<std::uint16_t>(indices + 2 * k));
    }
    std::uint8_t* destination = bus_.space().cpu(e.destination, (highest + 1) * vertex_stride);
    if (destination == nullptr) return false;
    kernels_.skacc(destination, source, indices, weights, e.count, m, settings_);
    const std::uint32_t base = bus_.space().canonical(e.destination);
    for (std::uint32_t k = 0; k < e.count; ++k) {
      bus_.trace().record(base + load_be<std::uint16_t>(indices + 2 * k) * vertex_stride, vertex_stride,
                          bus_.author(WriteKind::accumulate));
    }
    return true;
  }

  // --- shared by steps 4 to 6 ---

  /// Puts the bone's matrix, reordered, into the entry's field at `at` and returns it.
  Matrix reorder_bone(std::uint16_t bone, std::uint32_t at) {
    if (bone >= context_.palette.size()) {
      bus_.fault(FaultKind::foreign_bone, bone);
      return {};
    }
    const Matrix m = reorder(context_.palette[bone]);
    std::array<std::uint8_t, matrix_bytes> bytes;
    store_matrix(bytes.data(), m);
    bus_.write(at, bytes, WriteKind::matrix);
    return m;
  }

  const FrameContext& context_;
  Bus bus_;
  const Kernels& kernels_;
  bool exact_;
  KernelSettings settings_;
};

}  // namespace

FrameResult run_frame(const FrameContext& context) {
  return Frame(context).run();
}

}  // namespace lockline::emu
