#pragma once

#include "formats/skn.hpp"
#include "formats/view.hpp"

/// Matrices as the files and the console's memory hold them: twelve big-endian floats, bit patterns kept.
namespace lockline {

inline constexpr std::size_t matrix_bytes = sizeof(Matrix);

/// Reads matrix_bytes at p, which the caller has checked.
inline Matrix load_matrix(const std::uint8_t* p) {
  Matrix m{};
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = load_be<float>(p + i * sizeof(float));
  return m;
}

/// Writes matrix_bytes at p, which the caller has checked.
inline void store_matrix(std::uint8_t* p, const Matrix& m) {
  for (std::size_t i = 0; i < m.size(); ++i) store_be(p + i * sizeof(float), m[i]);
}

}  // namespace lockline
