// Compiled once for every instruction set with a fused multiply-add; the best one is chosen at run time.
// Machines without one (SSE4 and older) use the scalar kernels.
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_PPC8)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emu/kernels_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "emu/kernels.hpp"
#include "emu/quantize.hpp"
#include "emu/simd_block-inl.hpp"
#include "formats/view.hpp"

#if HWY_NATIVE_FMA

HWY_BEFORE_NAMESPACE();
namespace lockline::emu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL
constexpr const char* target_name = "avx512-vbmi";
#elif HWY_TARGET == HWY_AVX3
constexpr const char* target_name = "avx512";
#elif HWY_TARGET == HWY_AVX2
constexpr const char* target_name = "avx2";
#else
constexpr const char* target_name = "neon";
#endif

// --- when powers of two may move ---
//
// The kernels here work on stored numbers: with load factor 2^-s and store factor 2^s,
//     (m x (raw 2^-s) + ... + t) x 2^s  =  m x raw + ... + (t 2^s),
// and a multiplication by a power of two changes no rounding, so every intermediate value is the reference's
// times a power of two (2^s, and 2^-8 where weights w/256 are taken as integers w). That holds as long as
// nothing overflows or becomes denormal on either side, which `foldable` ensures:
//
// Let every matrix element be 0 or 2^-60 <= |m| <= 2^60; so it is a multiple of 2^-83.
// The reference: products and sums are multiples of 2^-83 x 2^-31, with a weight k/256 of 2^-122, stores
// included (a negative s makes the loaded numbers coarser by what it makes the stored ones finer; only t gets
// finer, to 2^-83 x 2^-32 x 2^-8 = 2^-123). Rounding keeps a multiple of u one: the last place is at least u,
// or nothing is rounded. So what is not zero is at least 2^-123, and denormals begin below 2^-126. Loaded
// numbers stay below 2^48, products below 2^108, sums of a few below 2^112, times 2^s still: s > 0 means
// numbers below 2^15. Here: m x raw is a multiple of 2^-83, t 2^s of 2^-115, both with weights 2^-8 finer:
// 2^-123; folded elements are 0 or at least 2^-100, sums below 2^95. So there is no denormal and no infinity
// or NaN: neither the processor's flush mode nor KernelSettings::stored_nan and denormal_inputs_are_zero
// matter. Any other matrix takes the scalar path.

HWY_INLINE bool foldable(const Matrix& m) {
  const hn::CappedTag<std::int32_t, 4> d;
  const auto below = hn::Set(d, ((127 - 60) << 23) - 1), above = hn::Set(d, ((127 + 60) << 23) + 1);
  auto good = hn::MaskFromVec(hn::Set(d, -1));
  for (std::size_t i = 0; i < m.size(); i += 4) {
    const auto bits = hn::LoadU(d, reinterpret_cast<const std::int32_t*>(m.data() + i));
    const auto magnitude = hn::And(bits, hn::Set(d, 0x7FFFFFFF));
    const auto normal = hn::And(hn::Gt(magnitude, below), hn::Lt(magnitude, above));
    good = hn::And(good, hn::Or(normal, hn::Eq(magnitude, hn::Zero(d))));
  }
  return hn::AllTrue(d, good);
}

// --- arithmetic in either rounding ---

/// A fused multiply-add in single.
struct RoundedOnce {
  using Coefficient = Floats;
  static HWY_INLINE Coefficient coefficient(float v) { return hn::Set(FloatTag(), v); }
  static HWY_INLINE Floats multiply_add(Floats a, Floats b, Floats c) { return hn::MulAdd(a, b, c); }
  static HWY_INLINE Floats multiply(Floats a, Floats b) { return hn::Mul(a, b); }
};

/// A multiply-add in double (the product of two singles is exact there), then rounded to single.
struct RoundedThroughDouble {
  using DoubleTag = hn::RepartitionToWide<FloatTag>;
  using Doubles = hn::Vec<DoubleTag>;
  using Half = hn::Half<FloatTag>;
  using Coefficient = Doubles;

  static HWY_INLINE Coefficient coefficient(float v) { return hn::Set(DoubleTag(), v); }
  template <class A>
  static HWY_INLINE Floats multiply_add(A a, Floats b, Floats c) {
    return join(hn::MulAdd(lower(a), lower(b), lower(c)), hn::MulAdd(upper(a), upper(b), upper(c)));
  }
  template <class A>
  static HWY_INLINE Floats multiply(A a, Floats b) {
    return join(hn::Mul(lower(a), lower(b)), hn::Mul(upper(a), upper(b)));
  }

 private:
  static HWY_INLINE Doubles lower(Doubles v) { return v; }
  static HWY_INLINE Doubles upper(Doubles v) { return v; }
  static HWY_INLINE Doubles lower(Floats v) { return hn::PromoteTo(DoubleTag(), hn::LowerHalf(Half(), v)); }
  static HWY_INLINE Doubles upper(Floats v) { return hn::PromoteTo(DoubleTag(), hn::UpperHalf(Half(), v)); }
  static HWY_INLINE Floats join(Doubles low, Doubles high) {
    return hn::Combine(FloatTag(), hn::DemoteTo(Half(), high), hn::DemoteTo(Half(), low));
  }
};

/// A matrix with the powers of two folded in: takes components x 65536 to stored numbers (x 1/256 where
/// integer weights follow).
template <class Rounding>
struct Folded {
  typename Rounding::Coefficient c[9];
  Floats t[3];

  HWY_INLINE Folded(const Matrix& m, int scale, int weight_bits) {
    const float linear = power_of_two(-16 - weight_bits), translation = power_of_two(scale - weight_bits);
    for (unsigned i = 0; i < 9; ++i) c[i] = Rounding::coefficient(m[i] * linear);
    for (unsigned r = 0; r < 3; ++r) t[r] = hn::Set(FloatTag(), m[9 + r] * translation);
  }

  HWY_INLINE Components operator()(const Components& v) const {
    Components out{};
    for (unsigned r = 0; r < 3; ++r) {
      const Floats x = Rounding::multiply_add(c[r], v.c[0], t[r]);
      const Floats nx = Rounding::multiply(c[r], v.c[3]);
      out.c[r] = Rounding::multiply_add(c[6 + r], v.c[2], Rounding::multiply_add(c[3 + r], v.c[1], x));
      out.c[3 + r] = Rounding::multiply_add(c[6 + r], v.c[5], Rounding::multiply_add(c[3 + r], v.c[4], nx));
    }
    return out;
  }
};

// --- the kernels, block by block: operator()(first vertex, how many of them) ---

template <class Block>
HWY_INLINE void for_blocks(std::uint32_t count, const Block& block) {
  std::uint32_t k = 0;
  for (; count - k >= lanes; k += lanes) block(k, Whole{});
  if (k != count) block(k, Part{count - k});
}

template <class Rounding>
struct Sk1Block {
  std::uint8_t* out;
  const std::uint8_t* in;
  Folded<Rounding> m;

  template <class Span>
  HWY_INLINE void operator()(std::uint32_t k, Span span) const {
    const std::uint32_t at = k * vertex_stride;
    store(out + at, quantize(m(dequantize_high(load(in + at, span)))), span);
  }
};

template <class Rounding>
struct Sk2Block {
  std::uint8_t* out;
  const std::uint8_t *in, *weights;
  Folded<Rounding> m1, m2;

  template <class Span>
  HWY_INLINE void operator()(std::uint32_t k, Span span) const {
    const std::uint32_t at = k * vertex_stride;
    const Words both = load_numbers<std::uint16_t>(weights + 2 * k, span);
    const Floats w0 = to_floats(hn::And(both, hn::Set(WordTag(), 0xFF))),
                 w1 = to_floats(hn::ShiftRight<8>(both));
    const Components v = dequantize_high(load(in + at, span)), a = m1(v), b = m2(v);
    Components sum{};
    for (unsigned i = 0; i < 6; ++i) {
      sum.c[i] = Rounding::multiply_add(b.c[i], w1, Rounding::multiply(a.c[i], w0));
    }
    store(out + at, quantize(sum), span);
  }

  static HWY_INLINE Floats to_floats(Words v) { return hn::ConvertTo(FloatTag(), hn::BitCast(IntTag(), v)); }
};

template <class Rounding>
struct SkAccBlock {
  std::uint8_t* out;
  const std::uint8_t *in, *indices, *weights;
  Folded<Rounding> m;

  /// Destinations in a row are one block of memory. Others are gathered, unless one is listed twice: then
  /// each sum needs the one before it, vertex by vertex.
  template <class Span>
  HWY_INLINE void operator()(std::uint32_t k, Span span) const {
    const Words raw = load_numbers<std::uint16_t>(indices + 2 * k, span);
    const Words swapped =
        hn::Or(hn::ShiftLeft<8>(hn::And(raw, hn::Set(WordTag(), 0xFF))), hn::ShiftRight<8>(raw));
    const std::uint32_t first = hn::GetLane(swapped);
    const Words row = hn::Add(hn::Iota(WordTag(), 0), hn::Set(WordTag(), first));
    const WordMask present = hn::FirstN(WordTag(), span.count);
    // Lanes without a vertex get numbers that no u16 index equals.
    const Words index = hn::IfThenElse(present, swapped, hn::Iota(WordTag(), 0x10000));
    if (hn::AllTrue(WordTag(), hn::Eq(hn::IfThenElse(present, swapped, row), row))) {
      accumulate(out + first * vertex_stride, k, span);
    } else if (all_differ(index)) {
      gathered(index, k, span);
    } else {
      one_by_one(k, span.count);
    }
  }

 private:
  HWY_NOINLINE void one_by_one(std::uint32_t k, std::uint32_t count) const {
    for (const std::uint32_t end = k + count; k < end; ++k) {
      accumulate(out + load_be<std::uint16_t>(indices + 2 * k) * vertex_stride, k, Part{1});
    }
  }

  template <class Span>
  HWY_INLINE void accumulate(std::uint8_t* destination, std::uint32_t k, Span span) const {
    store(destination, quantize(sums(dequantize(load(destination, span)), k, span)), span);
  }

  template <class Span>
  HWY_INLINE Components sums(const Components& destination, std::uint32_t k, Span span) const {
    const Words number = load_numbers<std::uint8_t>(weights + k, span);
    const Floats w = hn::ConvertTo(FloatTag(), hn::BitCast(IntTag(), number));
    const Components v = m(dequantize_high(load(in + k * vertex_stride, span)));
    Components out_components{};
    for (unsigned i = 0; i < 6; ++i) {
      out_components.c[i] = Rounding::multiply_add(v.c[i], w, destination.c[i]);
    }
    return out_components;
  }

  /// Compares every lane with every other: with those up to half way round.
  static HWY_INLINE bool all_differ(Words index) {
    alignas(64) static constexpr LaneTable next =
        table<std::int32_t, lanes>([](unsigned lane) { return (lane + 1) % lanes; });
    const auto rotate = hn::SetTableIndices(WordTag(), next.data());
    Words turned = index;
    WordMask equal = hn::MaskFromVec(hn::Zero(WordTag()));
    for (std::uint32_t turn = 0; turn < lanes / 2; ++turn) {
      turned = hn::TableLookupLanes(turned, rotate);
      equal = hn::Or(equal, hn::Eq(index, turned));
    }
    return hn::AllFalse(WordTag(), equal);
  }

  template <class Span>
  HWY_INLINE void gathered(Words index, std::uint32_t k, Span span) const {
    alignas(64) std::uint32_t slot[lanes];
    alignas(64) std::uint8_t vertices[3 * sizeof(Words)] = {};
    hn::Store(index, WordTag(), slot);
    for (std::uint32_t i = 0; i < span.count; ++i) {
      std::memcpy(vertices + i * vertex_stride, out + slot[i] * vertex_stride, vertex_stride);
    }
    store(vertices, quantize(sums(dequantize(load(vertices, Whole{})), k, span)), Whole{});
    for (std::uint32_t i = 0; i < span.count; ++i) {
      std::memcpy(out + slot[i] * vertex_stride, vertices + i * vertex_stride, vertex_stride);
    }
  }
};

constexpr int weight_bits = 8;

template <class Rounding>
void sk1_loop(std::uint8_t* out, const std::uint8_t* in, std::uint32_t count, const Matrix& m, int scale) {
  for_blocks(count, Sk1Block<Rounding>{out, in, {m, scale, 0}});
}

template <class Rounding>
void sk2_loop(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* weights, std::uint32_t count,
              const Matrix& m1, const Matrix& m2, int scale) {
  for_blocks(count, Sk2Block<Rounding>{out, in, weights, {m1, scale, weight_bits}, {m2, scale, weight_bits}});
}

template <class Rounding>
void skacc_loop(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* indices,
                const std::uint8_t* weights, std::uint32_t count, const Matrix& m, int scale) {
  for_blocks(count, SkAccBlock<Rounding>{out, in, indices, weights, {m, scale, weight_bits}});
}

void sk1(std::uint8_t* out, const std::uint8_t* in, std::uint32_t count, const Matrix& m,
         const KernelSettings& s) {
  if (!foldable(m)) return scalar_kernels().sk1(out, in, count, m, s);
  const auto loop = s.rounding == Rounding::once ? sk1_loop<RoundedOnce> : sk1_loop<RoundedThroughDouble>;
  loop(out, in, count, m, s.scale);
}

void sk2(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* weights, std::uint32_t count,
         const Matrix& m1, const Matrix& m2, const KernelSettings& s) {
  if (!foldable(m1) || !foldable(m2)) return scalar_kernels().sk2(out, in, weights, count, m1, m2, s);
  const auto loop = s.rounding == Rounding::once ? sk2_loop<RoundedOnce> : sk2_loop<RoundedThroughDouble>;
  loop(out, in, weights, count, m1, m2, s.scale);
}

void skacc(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* indices,
           const std::uint8_t* weights, std::uint32_t count, const Matrix& m, const KernelSettings& s) {
  if (!foldable(m)) return scalar_kernels().skacc(out, in, indices, weights, count, m, s);
  const auto loop = s.rounding == Rounding::once ? skacc_loop<RoundedOnce> : skacc_loop<RoundedThroughDouble>;
  loop(out, in, indices, weights, count, m, s.scale);
}

const Kernels* target_kernels() {
  static constexpr Kernels kernels{target_name, sk1, sk2, skacc};
  return &kernels;
}

}  // namespace lockline::emu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA

#if HWY_ONCE
namespace lockline::emu {
namespace {

/// The kernels of a target, nullptr when this processor cannot run it.
const Kernels* supported(std::int64_t target, const Kernels* (*kernels)()) {
  return kernels != nullptr && (hwy::SupportedTargets() & target) != 0 ? kernels() : nullptr;
}

}  // namespace

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> out{&scalar_kernels()};
  for (const Kernels* kernels : {supported(HWY_NEON, HWY_CHOOSE_NEON(target_kernels)),
                                 supported(HWY_AVX2, HWY_CHOOSE_AVX2(target_kernels)),
                                 supported(HWY_AVX3, HWY_CHOOSE_AVX3(target_kernels)),
                                 supported(HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(target_kernels))}) {
    if (kernels != nullptr) out.push_back(kernels);
  }
  return out;
}

const Kernels& simd_kernels() {
  static const Kernels& best = *all_kernels().back();
  return best;
}

}  // namespace lockline::emu
#endif  // HWY_ONCE
