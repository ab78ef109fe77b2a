// Included once per instruction set (Highway's foreach_target); no include guard in the usual sense.
#if defined(LOCKLINE_SIMD_BLOCK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LOCKLINE_SIMD_BLOCK_INL
#undef LOCKLINE_SIMD_BLOCK_INL
#else
#define LOCKLINE_SIMD_BLOCK_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "formats/skn.hpp"

#if HWY_NATIVE_FMA

/// Blocks of vertices between memory and planar vectors.
///
/// A block is as many vertices as a vector has 32-bit lanes (16, 8 or 4). A vertex is three words (x y, z nx,
/// ny nz), so a block is three vectors of memory; and since the number of lanes is no multiple of 3, the
/// three vectors hold three different words (first, second, third of some vertex) in any one lane. So blends,
/// which every vector port can do, collect the first words of all vertices in one vector, then the second,
/// then the third; one permutation each puts them into the order of the vertices and swaps their bytes. The
/// way back is the same in reverse.
HWY_BEFORE_NAMESPACE();
namespace lockline::emu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using ByteTag = hn::Repartition<std::uint8_t, FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Ints = hn::Vec<IntTag>;
using Words = hn::Vec<WordTag>;
using WordMask = hn::Mask<WordTag>;

inline constexpr std::uint32_t lanes = hn::MaxLanes(FloatTag());

/// How much of a block there is: all `lanes` vertices, or fewer at the end of an entry.
struct Whole {
  static constexpr std::uint32_t count = lanes;
};
struct Part {
  std::uint32_t count;
};

// --- memory: nothing but the block's own bytes is read or written ---

/// The bytes of a block.
struct Memory {
  Words vector[3];
};

HWY_INLINE Memory load(const std::uint8_t* p, Whole) {
  Memory m{};
  for (unsigned k = 0; k < 3; ++k) {
    m.vector[k] = hn::BitCast(WordTag(), hn::LoadU(ByteTag(), p + k * sizeof(Words)));
  }
  return m;
}

HWY_INLINE void store(std::uint8_t* p, const Memory& m, Whole) {
  for (unsigned k = 0; k < 3; ++k) {
    hn::StoreU(hn::BitCast(ByteTag(), m.vector[k]), ByteTag(), p + k * sizeof(Words));
  }
}

#if HWY_ARCH_X86  // masked accesses touch only what the mask has

HWY_INLINE WordMask part_mask(Part part, std::uint32_t vector) {
  const std::uint32_t count = 3 * part.count, before = lanes * vector;
  return hn::FirstN(WordTag(), count <= before ? 0 : std::min(count - before, lanes));
}

HWY_INLINE Memory load(const std::uint8_t* p, Part part) {
  Memory m{};
  for (unsigned k = 0; k < 3; ++k) {
    const auto* at = reinterpret_cast<const std::uint32_t*>(p + k * sizeof(Words));
    m.vector[k] = hn::MaskedLoad(part_mask(part, k), WordTag(), at);
  }
  return m;
}

HWY_INLINE void store(std::uint8_t* p, const Memory& m, Part part) {
  for (unsigned k = 0; k < 3; ++k) {
    auto* at = reinterpret_cast<std::uint32_t*>(p + k * sizeof(Words));
    hn::BlendedStore(m.vector[k], part_mask(part, k), WordTag(), at);
  }
}

#else

HWY_INLINE Memory load(const std::uint8_t* p, Part part) {
  std::uint8_t bytes[3 * sizeof(Words)] = {};
  std::memcpy(bytes, p, part.count * vertex_stride);
  return load(bytes, Whole{});
}

HWY_INLINE void store(std::uint8_t* p, const Memory& m, Part part) {
  std::uint8_t bytes[3 * sizeof(Words)];
  store(bytes, m, Whole{});
  std::memcpy(p, bytes, part.count * vertex_stride);
}

#endif

/// One small number per vertex, as in memory (bytes not swapped), widened; 0 for vertices that are not there.
template <class T>
HWY_INLINE Words load_numbers(const std::uint8_t* p, Whole) {
  const hn::Rebind<T, WordTag> numbers;
  const hn::Repartition<std::uint8_t, decltype(numbers)> bytes;
  return hn::PromoteTo(WordTag(), hn::BitCast(numbers, hn::LoadU(bytes, p)));
}
template <class T>
HWY_INLINE Words load_numbers(const std::uint8_t* p, Part part) {
#if HWY_CAP_GE512
  const hn::Rebind<T, WordTag> numbers;
  return hn::PromoteTo(
      WordTag(), hn::MaskedLoad(hn::FirstN(numbers, part.count), numbers, reinterpret_cast<const T*>(p)));
#else
  std::uint8_t bytes[lanes * sizeof(T)] = {};
  std::memcpy(bytes, p, part.count * sizeof(T));
  return load_numbers<T>(bytes, Whole{});
#endif
}

// --- where the words of a block are ---

/// The block's vector (0..2) that holds word `word` of a vertex in lane `lane`: lanes x vector + lane and
/// 3 x vertex + word are the same place, and lanes is its own inverse modulo 3.
constexpr unsigned vector_of(unsigned word, unsigned lane) {
  return (word + 2 * lane) * lanes % 3;
}
/// The lane that holds word `word` of vertex `vertex`.
constexpr unsigned lane_of(unsigned word, unsigned vertex) {
  return (3 * vertex + word) % lanes;
}
/// The vertex whose word `word` is in lane `lane`.
constexpr unsigned vertex_of(unsigned word, unsigned lane) {
  return (lanes * vector_of(word, lane) + lane - word) / 3;
}

template <class T, std::size_t size, class Function>
constexpr std::array<T, size> table(Function function) {
  std::array<T, size> out{};
  for (unsigned i = 0; i < size; ++i) out[i] = static_cast<T>(function(i));
  return out;
}

using ByteTable = std::array<std::uint8_t, sizeof(Words)>;
using LaneTable = std::array<std::int32_t, lanes>;

/// The lanes whose number is `remainder` modulo 3.
template <unsigned remainder>
HWY_INLINE WordMask third() {
  alignas(64) static constexpr auto values =
      table<std::uint32_t, lanes>([](unsigned lane) { return lane % 3 == remainder ? 1 : 0; });
  return hn::Ne(hn::Load(WordTag(), values.data()), hn::Zero(WordTag()));
}

/// In each lane v[choice], where choice is vector_of(word, lane).
template <unsigned word>
HWY_INLINE Words collect(const Words (&v)[3]) {
  const Words two = hn::IfThenElse(third<0>(), v[vector_of(word, 0)], v[vector_of(word, 1)]);
  return hn::IfThenElse(third<2>(), v[vector_of(word, 2)], two);
}
/// The reverse: vector k of memory has word j where vector_of(j, lane) is k.
template <unsigned k>
HWY_INLINE Words distribute(const Words (&word)[3]) {
  const Words two = hn::IfThenElse(third<0>(), word[lanes * k % 3], word[(lanes * k + 1) % 3]);
  return hn::IfThenElse(third<2>(), word[(lanes * k + 2) % 3], two);
}

// --- one word of every vertex: bytes, order, numbers ---

#if HWY_TARGET == HWY_AVX3_DL

HWY_INLINE Words permute_bytes(Words v, const ByteTable& t) {
  return Words{_mm512_permutexvar_epi8(hn::LoadU(ByteTag(), t.data()).raw, v.raw)};
}

/// From the lanes of memory to the order of the vertices, each word as a number (first component high).
template <unsigned word>
HWY_INLINE Words to_order(Words v) {
  alignas(64) static constexpr ByteTable t =
      table<std::uint8_t, sizeof(Words)>([](unsigned i) { return 4 * lane_of(word, i / 4) + (3 - i % 4); });
  return permute_bytes(v, t);
}

/// The reverse, from pack()'s order.
template <unsigned word>
HWY_INLINE Words from_order(Words packed) {
  alignas(64) static constexpr ByteTable t = table<std::uint8_t, sizeof(Words)>([](unsigned i) {
    const unsigned vertex = vertex_of(word, i / 4);
    return 16 * (vertex / 4) + 2 * (vertex % 4) + 8 * (i % 4 / 2) + (1 - i % 2);
  });
  return permute_bytes(packed, t);
}

#else

HWY_INLINE Words permute_lanes(Words v, const LaneTable& t) {
  return hn::TableLookupLanes(v, hn::SetTableIndices(WordTag(), t.data()));
}
HWY_INLINE Words shuffle_bytes(Words v, const ByteTable& t) {
  return hn::TableLookupBytes(v, hn::BitCast(WordTag(), hn::LoadU(ByteTag(), t.data())));
}

template <unsigned word>
HWY_INLINE Words to_order(Words v) {
  alignas(64) static constexpr ByteTable swap =
      table<std::uint8_t, sizeof(Words)>([](unsigned i) { return i % 16 / 4 * 4 + (3 - i % 4); });
  alignas(64) static constexpr LaneTable order =
      table<std::int32_t, lanes>([](unsigned vertex) { return lane_of(word, vertex); });
  return permute_lanes(shuffle_bytes(v, swap), order);
}

template <unsigned word>
HWY_INLINE Words from_order(Words packed) {
#if HWY_ARCH_X86
  alignas(64) static constexpr ByteTable swap = table<std::uint8_t, sizeof(Words)>(
      [](unsigned i) { return 2 * (i % 16 / 4) + 8 * (i % 4 / 2) + (1 - i % 2); });
#else
  alignas(64) static constexpr ByteTable swap =
      table<std::uint8_t, sizeof(Words)>([](unsigned i) { return i % 16 / 4 * 4 + (3 - i % 4); });
#endif
  alignas(64) static constexpr LaneTable order =
      table<std::int32_t, lanes>([](unsigned lane) { return vertex_of(word, lane); });
  return permute_lanes(shuffle_bytes(packed, swap), order);
}

#endif

/// Truncated toward zero and saturated to s16, both in a word per vertex. No v is NaN.
#if HWY_ARCH_X86
/// In each 128 bits the four first components, then the four second ones.
HWY_INLINE Words pack(Floats first, Floats second) {
  // Below -2^31 the conversion gives -2^31, which packs to -32768; above 2^31 it would too, hence the
  // minimum.
  const auto truncate = [](Floats v) HWY_ATTR {
    const Floats limited = hn::Min(v, hn::Set(FloatTag(), 32767.0F));
#if HWY_CAP_GE512
    return Ints{_mm512_cvttps_epi32(limited.raw)};
#else
    return Ints{_mm256_cvttps_epi32(limited.raw)};
#endif
  };
  const hn::Repartition<std::int16_t, FloatTag> shorts;
  return hn::BitCast(WordTag(), hn::ReorderDemote2To(shorts, truncate(first), truncate(second)));
}
#else
/// First component high, second low.
HWY_INLINE Words pack(Floats first, Floats second) {
  const auto truncate = [](Floats v) HWY_ATTR {
    const Floats limited = hn::Clamp(v, hn::Set(FloatTag(), -32768.0F), hn::Set(FloatTag(), 32767.0F));
    return hn::BitCast(WordTag(), hn::ConvertTo(IntTag(), limited));
  };
  return hn::Or(hn::ShiftLeft<16>(truncate(first)), hn::And(truncate(second), hn::Set(WordTag(), 0xFFFF)));
}
#endif

// --- the two conversions a kernel uses ---

/// The six components of a block, each planar in the order of the vertices.
struct Components {
  Floats c[6];
};

/// The three words of every vertex as numbers in vertex order.
struct Pairs {
  Words word[3];
};

HWY_INLINE Pairs pairs(const Memory& m) {
  return {to_order<0>(collect<0>(m.vector)), to_order<1>(collect<1>(m.vector)),
          to_order<2>(collect<2>(m.vector))};
}

/// The stored numbers x 65536 (no shift needed to sign-extend the first of a word).
HWY_INLINE Components dequantize_high(const Memory& m) {
  const Pairs p = pairs(m);
  Components out{};
  for (unsigned j = 0; j < 3; ++j) {
    const Words first = hn::And(p.word[j], hn::Set(WordTag(), 0xFFFF0000)),
                second = hn::ShiftLeft<16>(p.word[j]);
    out.c[2 * j] = hn::ConvertTo(FloatTag(), hn::BitCast(IntTag(), first));
    out.c[2 * j + 1] = hn::ConvertTo(FloatTag(), hn::BitCast(IntTag(), second));
  }
  return out;
}

/// The stored numbers.
HWY_INLINE Components dequantize(const Memory& m) {
  const Pairs p = pairs(m);
  Components out{};
  for (unsigned j = 0; j < 3; ++j) {
    const Ints first = hn::BitCast(IntTag(), p.word[j]),
               second = hn::BitCast(IntTag(), hn::ShiftLeft<16>(p.word[j]));
    out.c[2 * j] = hn::ConvertTo(FloatTag(), hn::ShiftRight<16>(first));
    out.c[2 * j + 1] = hn::ConvertTo(FloatTag(), hn::ShiftRight<16>(second));
  }
  return out;
}

/// As stored: saturated and truncated.
HWY_INLINE Memory quantize(const Components& v) {
  const Words word[3] = {from_order<0>(pack(v.c[0], v.c[1])), from_order<1>(pack(v.c[2], v.c[3])),
                         from_order<2>(pack(v.c[4], v.c[5]))};
  return {{distribute<0>(word), distribute<1>(word), distribute<2>(word)}};
}

}  // namespace lockline::emu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA
#endif
