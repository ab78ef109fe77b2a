#include "emu/run_vectors.hpp"

namespace lockline::emu {

std::vector<std::uint8_t> run_vectors(const KernelVectors& vectors, const Kernels& kernels,
                                      const Profile& profile) {
  std::vector<std::uint8_t> out;
  for (const KernelCase& c : vectors.cases) {
    const KernelSettings settings(c.scale, profile);
    const std::size_t begin = out.size();
    out.insert(out.end(), c.destination.begin(), c.destination.end());
    std::uint8_t* destination = out.data() + begin;
    switch (c.kind) {
      case KernelKind::sk1:
        kernels.sk1(destination, c.source.data(), c.count, c.m0, settings);
        break;
      case KernelKind::sk2:
        kernels.sk2(destination, c.source.data(), c.weights.data(), c.count, c.m0, c.m1, settings);
        break;
      case KernelKind::skacc:
        kernels.skacc(destination, c.source.data(), c.indices.data(), c.weights.data(), c.count, c.m0,
                      settings);
        break;
    }
  }
  return out;
}

}  // namespace lockline::emu
