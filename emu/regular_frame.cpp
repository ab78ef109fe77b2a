#include "emu/regular_frame.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>

#include "emu/dma.hpp"
#include "emu/frame.hpp"
#include "emu/quantize.hpp"
#include "emu/tables.hpp"
#include "formats/matrix.hpp"

namespace lockline::emu {
namespace {

/// The block, read by address. Outside it everything is zero; an entry that needed that is not regular.
struct BlockMemory {
  const std::uint8_t* bytes;
  std::uint32_t address, size;

  template <BigEndian T>
  T read(std::uint32_t at) {
    return contains(size, at - address, sizeof(T)) ? load_be<T>(bytes + (at - address)) : T{};
  }
};

/// From where on an entry's fields are fixed: behind its matrices.
constexpr std::uint32_t sk1_fixed = 0x30, sk2_fixed = 0x60, acc_fixed = 0x30;
constexpr std::uint32_t header_bytes = 0x24;

}  // namespace

/// Decides whether every entry is regular, and collects them.
class RegularFrame::Planner {
 public:
  Planner(AddressSpace& space, const LoadedModel& model, const MachineOptions& options)
      : model_(model),
        memory_{space.cpu(model.block, model.block_bytes), model.block, model.block_bytes},
        tables_(memory_, model, options.pointers),
        memclr_(options.memclr) {}

  std::optional<RegularFrame> plan() {
    plan_.tables_ = model_.skn - model_.block;
    reads_begin_ = plan_.tables_ + header_bytes;
    const bool regular = sk1() && sk2() && acc() && clear() && bounds();
    if (!regular) return std::nullopt;
    plan_.tables_bytes_.assign(memory_.bytes + plan_.tables_, memory_.bytes + reads_begin_);
    find_what_stays();
    return std::move(plan_);
  }

 private:
  /// The address of an array's first entry; the arrays follow the header in order. Nothing when they do not.
  template <class Skn>
  std::optional<std::uint32_t> array(std::uint32_t field, std::uint32_t count) {
    const std::uint32_t at = tables_.array(field);
    const std::uint32_t begin = at - model_.block;
    if (count == 0) return at;
    if (begin < reads_begin_ || !contains(model_.block_bytes, begin, std::uint64_t{count} * Skn::bytes))
      return std::nullopt;
    reads_begin_ = begin + count * Skn::bytes;
    return at;
  }

  bool sk1() {
    const auto count = tables_.header<std::uint16_t>(skn_field::sk1_count);
    const auto first = array<Sk1Entry>(skn_field::sk1_array, count);
    for (std::uint32_t i = 0; first && i < count; ++i) {
      const std::uint32_t at = *first + i * Sk1Entry::bytes;
      const Sk1 e = tables_.sk1(at);
      if (e.bytes > 2 * dma_max_lines * cache_line) return false;
      Entry entry = direct(at, e);
      entry.bone1 = entry.bone2 = e.bone;
      if (!add(plan_.sk1_, entry)) return false;
    }
    return first.has_value();
  }

  bool sk2() {
    const auto count = tables_.header<std::uint16_t>(skn_field::sk2_count);
    const auto first = array<Sk2Entry>(skn_field::sk2_array, count);
    for (std::uint32_t i = 0; first && i < count; ++i) {
      const std::uint32_t at = *first + i * Sk2Entry::bytes;
      const Sk2 e = tables_.sk2(at);
      if (e.bytes > dma_max_lines * cache_line) return false;
      Entry entry = direct(at, e);
      entry.weights = e.weights - model_.block;
      entry.bone1 = e.bone1;
      entry.bone2 = e.bone2;
      if (!reads(entry.weights, e.count * 2U) || !add(plan_.sk2_, entry)) return false;
    }
    return first.has_value();
  }

  bool acc() {
    const auto count = tables_.header<std::uint16_t>(skn_field::acc_count);
    const auto first = array<SkAccEntry>(skn_field::acc_array, count);
    for (std::uint32_t i = 0; first && i < count; ++i) {
      const std::uint32_t at = *first + i * SkAccEntry::bytes;
      const Acc e = tables_.acc(at);
      Entry entry{.at = at - model_.block,
                  .source = e.source - model_.block,
                  .weights = e.weights - model_.block,
                  .indices = e.indices - model_.block,
                  .destination = e.destination - model_.block,
                  .lines = lines_of(e.count * vertex_stride),
                  .bone1 = e.bone,
                  .bone2 = e.bone,
                  .count = e.count};
      if (e.count == 0 || e.count > dma_max_lines * cache_line / vertex_stride) return false;
      if (!reads(entry.weights, e.count) || !reads(entry.indices, e.count * 2U)) return false;
      if (!reads(entry.source, e.count * vertex_stride)) return false;
      add_bones(entry);
      plan_.acc_.push_back(entry);
    }
    return first.has_value();
  }

  template <class Direct>
  Entry direct(std::uint32_t at, const Direct& e) const {
    return {.at = at - model_.block,
            .source = e.source - model_.block,
            .destination = e.destination - model_.block,
            .lines = lines_of(e.bytes),
            .count = e.count,
            .vertex_offset = e.vertex_offset};
  }

  bool add(std::vector<Entry>& entries, const Entry& entry) {
    if (entry.count < 2 || entry.vertex_offset > cache_line) return false;
    if (!reads(entry.source, entry.lines * cache_line)) return false;
    if (!writes(entry.destination, entry.lines * cache_line)) return false;
    add_bones(entry);
    entries.push_back(entry);
    return true;
  }

  void add_bones(const Entry& entry) {
    plan_.bones_ = std::max(plan_.bones_, std::max<std::uint32_t>(entry.bone1, entry.bone2) + 1);
  }

  /// Notes a range that is loaded, a line and more; false when it is misaligned or leaves the block.
  bool reads(std::uint32_t begin, std::uint32_t bytes) {
    lowest_read_ = std::min(lowest_read_, begin);
    return begin % cache_line == 0 && contains(model_.block_bytes, begin, lines_of(bytes) * cache_line);
  }
  bool writes(std::uint32_t begin, std::uint32_t bytes) {
    written_end_ = std::max(written_end_, begin + bytes);
    return begin % cache_line == 0 && contains(model_.block_bytes, begin, bytes);
  }

  bool clear() {
    std::uint32_t begin = tables_.memclr_address() - model_.block;
    auto size = tables_.header<std::uint32_t>(skn_field::memclr_size);
    if (plan_.acc_.empty() || size == 0) return true;
    if (memclr_ == MemClr::dcbz) {
      if (size > model_.block_bytes) return false;
      begin = begin / cache_line * cache_line;
      size = lines_of(size) * cache_line;
    }
    plan_.clear_begin_ = begin;
    plan_.clear_size_ = size;
    written_end_ = std::max(written_end_, begin + size);
    return contains(model_.block_bytes, begin, size);
  }

  /// Written, then the tables, then what is read.
  bool bounds() const { return written_end_ <= plan_.tables_ && reads_begin_ <= lowest_read_; }

  /// From the last load to the first: what no later one overwrites is there after the frame.
  void find_what_stays() {
    for (auto i = static_cast<std::uint32_t>(plan_.acc_.size()); i-- > 0;) {
      Entry& e = plan_.acc_[i];
      e.weights_stay = stays(buffer::set(i) + buffer::acc_weights, lines_of(e.count));
      e.indices_stay = stays(buffer::set(i) + buffer::acc_indices, lines_of(e.count * 2U));
      e.vertices_stay = stays(buffer::set(i), e.lines);
    }
    for (auto i = static_cast<std::uint32_t>(plan_.sk2_.size()); i-- > 0;) {
      Entry& e = plan_.sk2_[i];
      e.weights_stay = stays(buffer::weights(i), lines_of(e.count * 2U));
      e.vertices_stay = stays(buffer::data(i), e.lines);
    }
    for (auto i = static_cast<std::uint32_t>(plan_.sk1_.size()); i-- > 0;)
      plan_.sk1_[i].vertices_stay = stays(buffer::data(i), plan_.sk1_[i].lines);
  }

  bool stays(std::uint32_t address, std::uint32_t lines) {
    const std::uint32_t first = (address - locked_cache_address) / cache_line;
    plan_.locked_cache_end_ = std::max(plan_.locked_cache_end_, (first + lines) * cache_line);
    bool seen = false;
    for (std::uint32_t line = first; line < first + lines; ++line) {
      seen = seen || !overwritten_[line];
      overwritten_.set(line);
    }
    return seen;
  }

  const LoadedModel& model_;
  BlockMemory memory_;
  Tables<BlockMemory> tables_;
  MemClr memclr_;
  RegularFrame plan_;
  std::uint32_t reads_begin_ = 0;  ///< end of the tables so far
  std::uint32_t lowest_read_ = UINT32_MAX, written_end_ = 0;
  std::bitset<0x4000 / cache_line> overwritten_;  ///< lines of the 16 KB the buffers are in
};

/// One frame of a plan that holds.
class RegularFrame::Runner {
 public:
  Runner(const RegularFrame& plan, const FrameContext& context, std::uint8_t* block)
      : plan_(plan),
        context_(context),
        kernels_(*context.options.kernels),
        block_(block),
        settings_(gqr_scale(block[plan.tables_ + skn_field::quantize_info]), *context.options.profile) {}

  void run() {
    context_.space.touch_locked_cache(plan_.locked_cache_end_);
    if (context_.options.memclr == MemClr::store) clear();
    for (std::uint32_t i = 0; i < plan_.sk1_.size(); ++i) sk1(i);
    for (std::uint32_t i = 0; i < plan_.sk2_.size(); ++i) sk2(i);
    if (context_.options.memclr == MemClr::dcbz) clear();
    for (std::uint32_t i = 0; i < plan_.acc_.size(); ++i) acc(i);
  }

 private:
  void sk1(std::uint32_t i) {
    const Entry& e = plan_.sk1_[i];
    author_ = {Step::sk1, WriteKind::matrix, static_cast<std::uint16_t>(i)};
    const Matrix m = reorder_bone(e.bone1, e.at);
    copy_ends(e);
    kernels_.sk1(vertices(e.destination, e), vertices(e.source, e), e.count, m, settings_);
    written_back(e, i);
  }

  void sk2(std::uint32_t i) {
    const Entry& e = plan_.sk2_[i];
    author_ = {Step::sk2, WriteKind::matrix, static_cast<std::uint16_t>(i)};
    const Matrix m1 = reorder_bone(e.bone1, e.at);
    const Matrix m2 = reorder_bone(e.bone2, e.at + matrix_bytes);
    copy_ends(e);
    kernels_.sk2(vertices(e.destination, e), vertices(e.source, e), block_ + e.weights, e.count, m1, m2,
                 settings_);
    written_back(e, i);
    if (e.weights_stay) stay(buffer::weights(i), e.weights, lines_of(e.count * 2U));
  }

  void acc(std::uint32_t i) {
    const Entry& e = plan_.acc_[i];
    author_ = {Step::skacc, WriteKind::matrix, static_cast<std::uint16_t>(i)};
    const Matrix m = reorder_bone(e.bone1, e.at);
    kernels_.skacc(block_ + e.destination, block_ + e.source, block_ + e.indices, block_ + e.weights, e.count,
                   m, settings_);
    author_.kind = WriteKind::accumulate;
    for (std::uint32_t k = 0; context_.options.trace && k < e.count; ++k) {
      const std::uint32_t index = load_be<std::uint16_t>(block_ + e.indices + 2 * k);
      record(e.destination + index * vertex_stride, vertex_stride);
    }
    if (e.vertices_stay) stay(buffer::set(i), e.source, e.lines);
    if (e.indices_stay) stay(buffer::set(i) + buffer::acc_indices, e.indices, lines_of(e.count * 2U));
    if (e.weights_stay) stay(buffer::set(i) + buffer::acc_weights, e.weights, lines_of(e.count));
  }

  void clear() {
    if (plan_.clear_size_ == 0) return;
    std::memset(block_ + plan_.clear_begin_, 0, plan_.clear_size_);
    author_ = {Step::memclr, WriteKind::clear, 0};
    record(plan_.clear_begin_, plan_.clear_size_);
  }

  std::uint8_t* vertices(std::uint32_t lines, const Entry& e) const {
    return block_ + lines + e.vertex_offset;
  }

  /// The bytes before and after the vertices in the first and the last line travel along.
  void copy_ends(const Entry& e) const {
    const std::uint32_t last = (e.lines - 1) * cache_line;
    std::memcpy(block_ + e.destination, block_ + e.source, cache_line);
    std::memcpy(block_ + e.destination + last, block_ + e.source + last, cache_line);
  }

  void written_back(const Entry& e, std::uint32_t i) {
    author_.kind = WriteKind::write_back;
    record(e.destination, e.lines * cache_line);
    if (e.vertices_stay) stay(buffer::data(i), e.destination, e.lines);
  }

  void stay(std::uint32_t locked_cache, std::uint32_t place, std::uint32_t lines) {
    std::memcpy(context_.space.locked_cache().data() + (locked_cache - locked_cache_address), block_ + place,
                std::size_t{lines} * cache_line);
  }

  Matrix reorder_bone(std::uint16_t bone, std::uint32_t at) {
    const Matrix m = reorder(context_.palette[bone]);
    store_matrix(block_ + at, m);
    record(at, matrix_bytes);
    return m;
  }

  void record(std::uint32_t at, std::uint32_t size) {
    context_.trace.record(context_.model.block + at, size, author_);
  }

  const RegularFrame& plan_;
  const FrameContext& context_;
  const Kernels& kernels_;
  std::uint8_t* const block_;
  KernelSettings settings_;
  Author author_;
};

std::optional<RegularFrame> RegularFrame::plan(AddressSpace& space, const LoadedModel& model,
                                               const MachineOptions& options) {
  if (model.skn == 0 || options.exact_path) return std::nullopt;
  return Planner(space, model, options).plan();
}

bool RegularFrame::run(const FrameContext& context) const {
  std::uint8_t* const block = context.space.cpu(context.model.block, context.model.block_bytes);
  const auto same = [&](std::uint32_t at, std::uint32_t size) {
    return std::memcmp(block + at, tables_bytes_.data() + (at - tables_), size) == 0;
  };
  if (context.palette.size() < bones_ || !same(tables_, header_bytes)) return false;
  for (const Entry& e : sk1_) {
    if (!same(e.at + sk1_fixed, Sk1Entry::bytes - sk1_fixed)) return false;
  }
  for (const Entry& e : sk2_) {
    if (!same(e.at + sk2_fixed, Sk2Entry::bytes - sk2_fixed)) return false;
  }
  for (const Entry& e : acc_) {
    std::uint32_t highest = 0;
    for (std::uint32_t k = 0; k < e.count; ++k)
      highest = std::max<std::uint32_t>(highest, load_be<std::uint16_t>(block + e.indices + 2 * k));
    if (!same(e.at + acc_fixed, SkAccEntry::bytes - acc_fixed)) return false;
    if (!contains(tables_, e.destination, (highest + 1) * vertex_stride)) return false;
  }
  Runner(*this, context, block).run();
  return true;
}

}  // namespace lockline::emu
