#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emu/profile.hpp"
#include "formats/skn.hpp"

/// The three transforms of the skinning loop on plain memory. Source: arithmetic.md.
///
/// Vertices are 12 bytes: x y z nx ny nz, big-endian s16. Matrices are in column order (m[c*3 + r]).
/// Any alignment; nothing outside the stated ranges is read or written.
namespace lockline::emu {

/// What every kernel call needs beside its data.
struct KernelSettings {
  int scale = 0;  ///< of GQR7, -32..31; the same for loads and stores
  Rounding rounding = Rounding::once;
  std::int16_t stored_nan = 32767;
  bool denormal_inputs_are_zero = false;

  KernelSettings() = default;
  KernelSettings(int gqr_scale, const Profile& profile)
      : scale(gqr_scale),
        rounding(profile.rounding),
        stored_nan(profile.stored_nan),
        denormal_inputs_are_zero(profile.denormal_inputs_are_zero) {}
};

/// One implementation of the kernels. `count` may be 0.
struct Kernels {
  const char* name;  ///< "scalar", or the instruction set

  /// out[k] = m x in[k]; reads and writes count x 12 bytes. `out` == `in` is allowed, other overlap is not.
  void (*sk1)(std::uint8_t* out, const std::uint8_t* in, std::uint32_t count, const Matrix& m,
              const KernelSettings&);

  /// out[k] = w1/256 x (m2 x in[k]) + w0/256 x (m1 x in[k]); weights are count pairs (w0, w1). Aliasing as
  /// sk1.
  void (*sk2)(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* weights, std::uint32_t count,
              const Matrix& m1, const Matrix& m2, const KernelSettings&);

  /// For k ascending: the 12 bytes at out + index[k] x 12 += w[k]/256 x (m x in[k]), stored (truncated) each
  /// time. `indices` are big-endian u16. `out` must not overlap the inputs.
  void (*skacc)(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* indices,
                const std::uint8_t* weights, std::uint32_t count, const Matrix& m, const KernelSettings&);
};

/// The reference: plain scalar code that reads like arithmetic.md.
const Kernels& scalar_kernels();

/// The vector kernels for the best instruction set of this processor, chosen at run time: the same bits as
/// the reference, for every matrix, scale and profile. Without a fused multiply-add: the scalar kernels.
const Kernels& simd_kernels();

/// scalar_kernels() and the vector kernels of every instruction set this processor has, the best one last;
/// for tests and benchmarks.
std::vector<const Kernels*> all_kernels();

/// A 3x4 matrix in row order (the palette's) to the column order an entry uses: m[c*3 + r] = rows[r*4 + c].
constexpr Matrix reorder(const Matrix& rows) {
  Matrix columns{};
  for (unsigned r = 0; r < 3; ++r) {
    for (unsigned c = 0; c < 4; ++c) columns[c * 3 + r] = rows[r * 4 + c];
  }
  return columns;
}

/// The six results of one vertex before they are stored; the exact path and diagnostics (NaN, saturation) use
/// these.
using VertexFloats = std::array<float, 6>;
VertexFloats transform_sk1(const SkinVertex& v, const Matrix& m, const KernelSettings&);
VertexFloats transform_sk2(const SkinVertex& v, std::array<std::uint8_t, 2> weights, const Matrix& m1,
                           const Matrix& m2, const KernelSettings&);
VertexFloats transform_skacc(const SkinVertex& v, std::uint8_t weight, const SkinVertex& destination,
                             const Matrix& m, const KernelSettings&);
SkinVertex store(const VertexFloats& v, const KernelSettings&);

}  // namespace lockline::emu
