#pragma once

#include <cstdint>
#include <vector>

#include "formats/error.hpp"
#include "formats/skn.hpp"
#include "formats/view.hpp"

namespace lockline {

enum class KernelKind : std::uint32_t { sk1 = 1, sk2 = 2, skacc = 3 };

/// One case of a kernel vector file. The views point into the parsed bytes. Source: vectors/README.md.
struct KernelCase {
  KernelKind kind = KernelKind::sk1;
  std::uint32_t count = 0;  ///< source vertices
  int scale = 0;            ///< of GQR7, -32..31
  std::uint32_t slots = 0;  ///< destination vertices
  Matrix m0{}, m1{};        ///< column order
  Bytes weights;            ///< 2 x count (SKAcc uses the first count)
  Bytes indices;            ///< count big-endian u16; SKAcc: each < slots
  Bytes source;             ///< count x 12
  Bytes destination;        ///< slots x 12, what is there before
};

struct KernelVectors {
  std::uint32_t fpscr = 0;
  std::vector<KernelCase> cases;
};

/// Errors: bad_magic, truncated, bad_value (kind, more vertices than slots, an index past the slots).
Expected<KernelVectors> parse_kernel_vectors(Bytes bytes);

}  // namespace lockline
