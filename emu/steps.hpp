#pragma once

#include "emu/bus.hpp"
#include "emu/kernels.hpp"

/// The parts of a frame that go access by access: the exact vertex loops and the facial applier.
namespace lockline::emu {

/// Locked cache addresses of an SKAcc entry's buffer set.
struct AccBuffers {
  std::uint32_t source = 0, indices = 0, weights = 0;
};

/// The loops as the console runs them: a counter that is decremented and tested at the end (0 wraps to 2^32
/// passes), loads one vertex ahead of the stores. They end early when the bus has stopped. `count` is the
/// entry's vertex count, any value.
void sk1_vertex_loop(Bus& bus, std::uint32_t first, std::uint32_t count, const Matrix& m,
                     const KernelSettings& settings);
void sk2_vertex_loop(Bus& bus, std::uint32_t first, std::uint32_t weights, std::uint32_t count,
                     const Matrix& m1, const Matrix& m2, const KernelSettings& settings);
void skacc_vertex_loop(Bus& bus, const AccBuffers& buffers, std::uint32_t destination, std::uint32_t count,
                       const Matrix& m, const KernelSettings& settings);

/// Step 1: walks each driven attribute's run list in memory until a run of length 0 and writes pose 0 plus
/// the weighted displacements. A list without its end is followed into whatever comes next, up to
/// max_facial_records records.
void apply_facial_poses(Bus& bus, const FacialSection& section, const FacialPoses& poses);

/// Bound of one attribute's walk (assumption: far above any real section, and enough to leave the block).
inline constexpr std::uint32_t max_facial_records = 1U << 20;

}  // namespace lockline::emu
