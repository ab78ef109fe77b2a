#include "emu/frame.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "emu/bus.hpp"
#include "emu/quantize.hpp"
#include "emu/steps.hpp"
#include "emu/tables.hpp"
#include "formats/matrix.hpp"

namespace lockline::emu {
namespace {

class Frame {
 public:
  explicit Frame(const FrameContext& context)
      : context_(context),
        bus_(context),
        tables_(bus_, context.model, context.options.pointers),
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
    if (context_.regular != nullptr && !bus_.stopped() && context_.regular->run(context_)) return;
    set_gqr7();
    const auto acc_count = tables_.header<std::uint16_t>(skn_field::acc_count);
    const bool clears = acc_count != 0;
    if (clears && context_.options.memclr == MemClr::store) memclr();
    sk1();
    sk2();
    if (clears && context_.options.memclr == MemClr::dcbz) memclr();
    if (clears) skacc();
  }

  // --- step 3 ---

  void set_gqr7() {
    settings_ = KernelSettings(gqr_scale(tables_.header<std::uint8_t>(skn_field::quantize_info)),
                               *context_.options.profile);
  }

  // --- step 4 ---

  void sk1() {
    const auto count = tables_.header<std::uint16_t>(skn_field::sk1_count);
    const std::uint32_t array = tables_.array(skn_field::sk1_array);
    const auto entry = [&](std::uint32_t i) { return array + i * Sk1Entry::bytes; };
    const auto load = [&](std::uint32_t i) {
      bus_.enter(Step::sk1, i);
      const Sk1 e = tables_.sk1(entry(i));
      transfer(&DmaCommand::load, buffer::data(i), e.source, lines_of(e.bytes));
    };
    if (count != 0) load(0);
    for (std::uint32_t i = 0; i < count && !bus_.stopped(); ++i) {
      if (i + 1 < count) load(i + 1);
      bus_.enter(Step::sk1, i);
      const Sk1 e = tables_.sk1(entry(i));
      const Matrix m = reorder_bone(e.bone, entry(i));
      if (bus_.stopped()) return;
      transform_sk1_entry(e, m, buffer::data(i));
      transfer(&DmaCommand::store, buffer::data(i), e.destination, lines_of(e.bytes));
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
    const auto count = tables_.header<std::uint16_t>(skn_field::sk2_count);
    const std::uint32_t array = tables_.array(skn_field::sk2_array);
    const auto entry = [&](std::uint32_t i) { return array + i * Sk2Entry::bytes; };
    const auto load = [&](std::uint32_t i) {
      bus_.enter(Step::sk2, i);
      const Sk2 e = tables_.sk2(entry(i));
      if (!bus_.stopped()) bus_.dma(DmaCommand::load(buffer::data(i), e.source, lines_of(e.bytes)));
      if (!bus_.stopped()) bus_.dma(DmaCommand::load(buffer::weights(i), e.weights, lines_of(e.count * 2U)));
    };
    if (count != 0) load(0);
    for (std::uint32_t i = 0; i < count && !bus_.stopped(); ++i) {
      if (i + 1 < count) load(i + 1);
      bus_.enter(Step::sk2, i);
      const Sk2 e = tables_.sk2(entry(i));
      const Matrix m1 = reorder_bone(e.bone1, entry(i));
      const Matrix m2 = reorder_bone(e.bone2, entry(i) + sizeof(Matrix));
      if (bus_.stopped()) return;
      transform_sk2_entry(e, m1, m2, buffer::data(i), buffer::weights(i));
      if (!bus_.stopped()) bus_.dma(DmaCommand::store(buffer::data(i), e.destination, lines_of(e.bytes)));
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
    const auto size = tables_.header<std::uint32_t>(skn_field::memclr_size);
    const std::uint32_t address = tables_.memclr_address();
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
    const auto count = tables_.header<std::uint16_t>(skn_field::acc_count);
    const std::uint32_t array = tables_.array(skn_field::acc_array);
    const auto entry = [&](std::uint32_t i) { return array + i * SkAccEntry::bytes; };
    const auto load = [&](std::uint32_t i) {
      bus_.enter(Step::skacc, i);
      const Acc e = tables_.acc(entry(i));
      const auto single = [&](std::uint32_t locked_cache, std::uint32_t memory, std::uint32_t bytes) {
        if (!bus_.stopped()) bus_.dma(DmaCommand::load(locked_cache, memory, lines_of(bytes)));
      };
      single(buffer::set(i), e.source, e.count * vertex_stride);
      single(buffer::set(i) + buffer::acc_indices, e.indices, e.count * 2U);
      single(buffer::set(i) + buffer::acc_weights, e.weights, e.count);
    };
    if (count != 0 && !bus_.stopped()) load(0);
    for (std::uint32_t i = 0; i < count && !bus_.stopped(); ++i) {
      if (i + 1 < count) load(i + 1);
      bus_.enter(Step::skacc, i);
      const Acc e = tables_.acc(entry(i));
      const Matrix m = reorder_bone(e.bone, entry(i));
      if (bus_.stopped()) return;
      accumulate_entry(e, m, buffer::set(i));
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
  Tables<Bus> tables_;
  const Kernels& kernels_;
  bool exact_;
  KernelSettings settings_;
};

}  // namespace

FrameResult run_frame(const FrameContext& context) {
  return Frame(context).run();
}

}  // namespace lockline::emu
