#include "emu/arithmetic.hpp"
#include "emu/kernels.hpp"
#include "emu/quantize.hpp"
#include "formats/view.hpp"

namespace lockline::emu {
namespace {

#define LOCKLINE_INLINE [[gnu::always_inline]] inline

/// Operations inside a kernel loop: the processor flushes denormals where it can, else we do.
template <class Fma>
LOCKLINE_INLINE float madd(float a, float b, float c) {
  if constexpr (NonIeeeMode::active) return Fma::multiply_add(a, b, c);
  return flush(Fma::multiply_add(a, b, c));
}
LOCKLINE_INLINE float mul(float a, float b) {
  if constexpr (NonIeeeMode::active) return a * b;
  return flush(a * b);
}

/// Only a matrix can bring denormals in: vertices and weights are integers times a power of two. Where the
/// processor has no mode for it, they are flushed here.
LOCKLINE_INLINE Matrix input_matrix(Matrix m, const KernelSettings& settings) {
  if (!NonIeeeMode::active && settings.denormal_inputs_are_zero) {
    for (float& value : m) value = flush(value);
  }
  return m;
}

template <class Fma>
LOCKLINE_INLINE VertexFloats transform(const VertexFloats& v, const Matrix& m) {
  VertexFloats out;
  for (unsigned r = 0; r < 3; ++r) {
    out[r] = madd<Fma>(m[6 + r], v[2], madd<Fma>(m[3 + r], v[1], madd<Fma>(m[r], v[0], m[9 + r])));
    out[3 + r] = madd<Fma>(m[6 + r], v[5], madd<Fma>(m[3 + r], v[4], mul(m[r], v[3])));
  }
  return out;
}

template <class Fma>
LOCKLINE_INLINE VertexFloats blend(const VertexFloats& a, const VertexFloats& b, float w0, float w1) {
  VertexFloats out;
  for (unsigned i = 0; i < 6; ++i) out[i] = madd<Fma>(b[i], w1, mul(a[i], w0));
  return out;
}

template <class Fma>
LOCKLINE_INLINE VertexFloats accumulate(const VertexFloats& t, float w, const VertexFloats& destination) {
  VertexFloats out;
  for (unsigned i = 0; i < 6; ++i) out[i] = madd<Fma>(t[i], w, destination[i]);
  return out;
}

/// Loads and stores of whole vertices through GQR7.
struct Gqr7 {
  float load_factor, store_factor;
  std::int16_t stored_nan;

  explicit Gqr7(const KernelSettings& s)
      : load_factor(power_of_two(-s.scale)), store_factor(power_of_two(s.scale)), stored_nan(s.stored_nan) {}

  LOCKLINE_INLINE VertexFloats load(const std::uint8_t* p) const {
    VertexFloats v;
    for (unsigned i = 0; i < 6; ++i)
      v[i] = static_cast<float>(load_be<std::int16_t>(p + 2 * i)) * load_factor;
    return v;
  }

  LOCKLINE_INLINE void store(std::uint8_t* p, const VertexFloats& v) const {
    for (unsigned i = 0; i < 6; ++i) {
      const float scaled = v[i] * store_factor;
      // The comparison order sends a NaN to the lower branch's `scaled`, which is then replaced.
      const float clamped = scaled > 32767.0F ? 32767.0F : scaled < -32768.0F ? -32768.0F : scaled;
      store_be(p + 2 * i,
               scaled != scaled ? stored_nan : static_cast<std::int16_t>(static_cast<int>(clamped)));
    }
  }
};

template <class Fma>
LOCKLINE_INLINE void sk1_loop(std::uint8_t* out, const std::uint8_t* in, std::uint32_t count,
                              const Matrix& matrix, const KernelSettings& settings) {
  const NonIeeeMode mode(settings.denormal_inputs_are_zero);
  const Gqr7 gqr(settings);
  const Matrix m = input_matrix(matrix, settings);
  for (std::uint32_t k = 0; k < count; ++k) {
    gqr.store(out + k * vertex_stride, transform<Fma>(gqr.load(in + k * vertex_stride), m));
  }
}

template <class Fma>
LOCKLINE_INLINE void sk2_loop(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* weights,
                              std::uint32_t count, const Matrix& matrix1, const Matrix& matrix2,
                              const KernelSettings& settings) {
  const NonIeeeMode mode(settings.denormal_inputs_are_zero);
  const Gqr7 gqr(settings);
  const Matrix m1 = input_matrix(matrix1, settings), m2 = input_matrix(matrix2, settings);
  for (std::uint32_t k = 0; k < count; ++k) {
    const VertexFloats v = gqr.load(in + k * vertex_stride);
    gqr.store(out + k * vertex_stride,
              blend<Fma>(transform<Fma>(v, m1), transform<Fma>(v, m2), dequantize_weight(weights[2 * k]),
                         dequantize_weight(weights[2 * k + 1])));
  }
}

template <class Fma>
LOCKLINE_INLINE void skacc_loop(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* indices,
                                const std::uint8_t* weights, std::uint32_t count, const Matrix& matrix,
                                const KernelSettings& settings) {
  const NonIeeeMode mode(settings.denormal_inputs_are_zero);
  const Gqr7 gqr(settings);
  const Matrix m = input_matrix(matrix, settings);
  for (std::uint32_t k = 0; k < count; ++k) {
    std::uint8_t* destination = out + load_be<std::uint16_t>(indices + 2 * k) * vertex_stride;
    gqr.store(destination, accumulate<Fma>(transform<Fma>(gqr.load(in + k * vertex_stride), m),
                                           dequantize_weight(weights[k]), gqr.load(destination)));
  }
}

// The three loops compiled for a rounding and, where the processor must be asked first, for its fused
// instruction.
#define LOCKLINE_LOOPS(suffix, Fma, target)                                                                 \
  target void sk1_##suffix(std::uint8_t* out, const std::uint8_t* in, std::uint32_t count, const Matrix& m, \
                           const KernelSettings& s) {                                                       \
    sk1_loop<Fma>(out, in, count, m, s);                                                                    \
  }                                                                                                         \
  target void sk2_##suffix(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* weights,          \
                           std::uint32_t count, const Matrix& m1, const Matrix& m2,                         \
                           const KernelSettings& s) {                                                       \
    sk2_loop<Fma>(out, in, weights, count, m1, m2, s);                                                      \
  }                                                                                                         \
  target void skacc_##suffix(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* indices,        \
                             const std::uint8_t* weights, std::uint32_t count, const Matrix& m,             \
                             const KernelSettings& s) {                                                     \
    skacc_loop<Fma>(out, in, indices, weights, count, m, s);                                                \
  }

LOCKLINE_LOOPS(through_double, ThroughDouble, )
#ifdef LOCKLINE_ASKS_FOR_FMA
LOCKLINE_LOOPS(odd, FusedByOdd, )
LOCKLINE_LOOPS(fused, FusedOnce, [[gnu::target("fma")]])
#define LOCKLINE_ONCE(kernel) (has_fma() ? kernel##_fused : kernel##_odd)
#else
LOCKLINE_LOOPS(fused, FusedOnce, )
#define LOCKLINE_ONCE(kernel) kernel##_fused
#endif
#define LOCKLINE_SELECT(kernel) \
  (s.rounding == Rounding::through_double ? kernel##_through_double : LOCKLINE_ONCE(kernel))

void sk1(std::uint8_t* out, const std::uint8_t* in, std::uint32_t count, const Matrix& m,
         const KernelSettings& s) {
  LOCKLINE_SELECT(sk1)(out, in, count, m, s);
}
void sk2(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* weights, std::uint32_t count,
         const Matrix& m1, const Matrix& m2, const KernelSettings& s) {
  LOCKLINE_SELECT(sk2)(out, in, weights, count, m1, m2, s);
}
void skacc(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* indices,
           const std::uint8_t* weights, std::uint32_t count, const Matrix& m, const KernelSettings& s) {
  LOCKLINE_SELECT(skacc)(out, in, indices, weights, count, m, s);
}

VertexFloats dequantize(const SkinVertex& v, int scale) {
  VertexFloats out;
  for (unsigned i = 0; i < 6; ++i) out[i] = dequantize_s16(v[i], scale);
  return out;
}

template <class Function>
VertexFloats with_rounding(const KernelSettings& s, Function&& function) {
  const NonIeeeMode mode(s.denormal_inputs_are_zero);
  return s.rounding == Rounding::once ? function(FusedOnce{}) : function(ThroughDouble{});
}

}  // namespace

const Kernels& scalar_kernels() {
  static constexpr Kernels kernels{"scalar", sk1, sk2, skacc};
  return kernels;
}

VertexFloats transform_sk1(const SkinVertex& v, const Matrix& m, const KernelSettings& s) {
  return with_rounding(
      s, [&]<class Fma>(Fma) { return transform<Fma>(dequantize(v, s.scale), input_matrix(m, s)); });
}

VertexFloats transform_sk2(const SkinVertex& v, std::array<std::uint8_t, 2> weights, const Matrix& m1,
                           const Matrix& m2, const KernelSettings& s) {
  return with_rounding(s, [&]<class Fma>(Fma) {
    const VertexFloats in = dequantize(v, s.scale);
    return blend<Fma>(transform<Fma>(in, input_matrix(m1, s)), transform<Fma>(in, input_matrix(m2, s)),
                      dequantize_weight(weights[0]), dequantize_weight(weights[1]));
  });
}

VertexFloats transform_skacc(const SkinVertex& v, std::uint8_t weight, const SkinVertex& destination,
                             const Matrix& m, const KernelSettings& s) {
  return with_rounding(s, [&]<class Fma>(Fma) {
    return accumulate<Fma>(transform<Fma>(dequantize(v, s.scale), input_matrix(m, s)),
                           dequantize_weight(weight), dequantize(destination, s.scale));
  });
}

SkinVertex store(const VertexFloats& v, const KernelSettings& s) {
  SkinVertex out;
  for (unsigned i = 0; i < 6; ++i) out[i] = quantize_s16(v[i], s.scale, s.stored_nan);
  return out;
}

}  // namespace lockline::emu
