#pragma once

#include <vector>

#include "emu/kernels.hpp"
#include "formats/kernel_vectors.hpp"

namespace lockline::emu {

/// Runs every case and returns its destinations, slots x 12 bytes each, one after another.
std::vector<std::uint8_t> run_vectors(const KernelVectors& vectors, const Kernels& kernels,
                                      const Profile& profile);

}  // namespace lockline::emu
