#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "emu/kernels.hpp"
#include "emu/run_vectors.hpp"
#include "tests/support/files.hpp"

/// Every instruction set of this machine against the scalar reference: same bits, and nothing else touched.
namespace lockline::emu {
namespace {

using Buffer = std::vector<std::uint8_t>;
using Random = std::mt19937_64;

constexpr std::size_t guard = 64;  ///< bytes around every destination that must stay as they are

std::uint32_t below(Random& random, std::uint32_t end) {
  return static_cast<std::uint32_t>(random() % end);
}

/// Components near the ends of s16, near zero, or anything.
Buffer random_vertices(Random& random, std::size_t count) {
  Buffer out(count * vertex_stride);
  for (std::size_t i = 0; i < out.size(); i += 2) {
    const auto near = static_cast<int>(below(random, 5)) - 2;
    const int choices[] = {near, 32767 - std::abs(near), -32768 + std::abs(near), static_cast<int>(random())};
    store_be(out.data() + i, static_cast<std::int16_t>(choices[below(random, 4)]));
  }
  return out;
}

Buffer random_bytes(Random& random, std::size_t count) {
  Buffer out(count);
  for (auto& byte : out) byte = static_cast<std::uint8_t>(random());
  return out;
}

using Element = float (*)(Random&);

float rotation_like(Random& random) {
  return std::uniform_real_distribution<float>(-1.5F, 1.5F)(random);
}
/// Multiples of a half, a quarter ...: results on ties and on the edges of the truncation.
float coarse(Random& random) {
  return static_cast<float>(static_cast<int>(below(random, 17)) - 8) * 0.125F;
}
float any_magnitude(Random& random) {
  return std::ldexp(rotation_like(random), static_cast<int>(below(random, 41)) - 20);
}
/// Both sides of what the vector kernels take: 2^-60 and 2^60.
float at_the_limits(Random& random) {
  const float edges[] = {0x1p-60F,
                         std::nextafter(0x1p-60F, 0.0F),
                         0x1p60F,
                         std::nextafter(0x1p60F, INFINITY),
                         std::nextafter(0x1p60F, 0.0F),
                         0.0F,
                         -0.0F,
                         1.0F};
  const float edge = edges[below(random, 8)];
  return below(random, 2) == 0 ? edge : -edge;
}
/// Only what the vector kernels take, as extreme as that goes: the proof's corners.
float extreme_but_folded(Random& random) {
  const float sign = below(random, 2) == 0 ? 1.0F : -1.0F;
  const float magnitudes[] = {
      0x1.000002p-60F, 0x1p-60F, 0x1.fffffep-60F, 0x1.fffffep59F, 0x1p60F, 0.0F, 1.0F};
  return sign * magnitudes[below(random, 7)];
}
float odd(Random& random) {
  const float values[] = {std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::min() / 2,
                          std::numeric_limits<float>::min(),        std::numeric_limits<float>::max(),
                          std::numeric_limits<float>::infinity(),   -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN(),  1.0F};
  return below(random, 3) == 0 ? values[below(random, 8)] : rotation_like(random);
}

constexpr Element elements[] = {rotation_like, coarse, any_magnitude, at_the_limits, extreme_but_folded, odd};

Matrix random_matrix(Random& random, Element element) {
  Matrix m;
  for (float& value : m) value = element(random);
  return m;
}

/// One call with all its data.
struct Call {
  KernelKind kind = KernelKind::sk1;
  std::uint32_t count = 0, slots = 0;
  Matrix m1{}, m2{};
  KernelSettings settings;
  Buffer source, weights, indices, destination;
  std::size_t misalignment = 0;
  bool in_place = false;
};

/// The destination with its guards after the call.
Buffer run(const Kernels& kernels, const Call& c) {
  Buffer out(guard + c.misalignment, 0xA5);
  out.insert(out.end(), c.destination.begin(), c.destination.end());
  out.insert(out.end(), guard, 0x5A);
  std::uint8_t* destination = out.data() + guard + c.misalignment;
  if (c.in_place) std::copy(c.source.begin(), c.source.end(), destination);
  // Exactly sized, so that the address sanitizer sees a read too far.
  const Buffer source = c.source, weights = c.weights, indices = c.indices;
  const std::uint8_t* in = c.in_place ? destination : source.data();
  switch (c.kind) {
    case KernelKind::sk1:
      kernels.sk1(destination, in, c.count, c.m1, c.settings);
      break;
    case KernelKind::sk2:
      kernels.sk2(destination, in, weights.data(), c.count, c.m1, c.m2, c.settings);
      break;
    case KernelKind::skacc:
      kernels.skacc(destination, in, indices.data(), weights.data(), c.count, c.m1, c.settings);
      break;
  }
  return out;
}

std::string describe(const Call& c) {
  return fmt::format("kind {} count {} scale {} {} {}", static_cast<int>(c.kind), c.count, c.settings.scale,
                     c.settings.rounding == Rounding::once ? "once" : "through double",
                     c.in_place ? "in place" : "apart");
}

void expect_reference(const Kernels& kernels, const Call& c) {
  const Buffer expected = run(scalar_kernels(), c), actual = run(kernels, c);
  ASSERT_TRUE(actual == expected) << kernels.name << ": " << describe(c) << ", first at byte "
                                  << std::mismatch(actual.begin(), actual.end(), expected.begin()).first -
                                         actual.begin() - static_cast<std::ptrdiff_t>(guard);
}

Call random_call(Random& random, KernelKind kind, std::uint32_t count) {
  Call c;
  c.kind = kind;
  c.count = c.slots = count;
  const Element element = elements[below(random, std::size(elements))];
  c.m1 = random_matrix(random, element);
  c.m2 = random_matrix(random, element);
  const int scale = static_cast<int>(below(random, 64)) - 32;
  c.settings = KernelSettings(scale, *profiles[below(random, profiles.size())]);
  if (below(random, 4) == 0) c.settings.stored_nan = 0;
  c.source = random_vertices(random, count);
  c.weights = random_bytes(random, kind == KernelKind::sk2 ? 2 * count : count);
  c.misalignment = below(random, 64);
  c.in_place = kind != KernelKind::skacc && below(random, 2) == 0;
  c.destination = random_vertices(random, c.slots);
  return c;
}

void set_indices(Call& c, const std::vector<std::uint32_t>& indices) {
  c.slots = 1 + *std::max_element(indices.begin(), indices.end());
  c.indices.resize(2 * indices.size());
  for (std::size_t k = 0; k < indices.size(); ++k)
    store_be(c.indices.data() + 2 * k, static_cast<std::uint16_t>(indices[k]));
}

/// In a row, shuffled, spread out, or anything.
std::vector<std::uint32_t> random_indices(Random& random, std::uint32_t count) {
  std::vector<std::uint32_t> out(count);
  const std::uint32_t way = below(random, 4), first = below(random, 40);
  for (std::uint32_t k = 0; k < count; ++k)
    out[k] = way == 3 ? below(random, count + 5) : first + k * (way == 2 ? 3 : 1);
  if (way == 1) std::shuffle(out.begin(), out.end(), random);
  return out;
}

class SimdKernels : public testing::TestWithParam<const Kernels*> {};

TEST_P(SimdKernels, LeaveDolphinsBytes) {
  for (const std::string set : {"plain", "wild", "special", "rounding"}) {
    const auto folder = tests::vectors() / "kernels";
    const auto input = tests::read_file(folder / (set + ".in"));
    const auto vectors = parse_kernel_vectors(input);
    ASSERT_TRUE(vectors);
    EXPECT_TRUE(run_vectors(*vectors, *GetParam(), dolphin_5) ==
                tests::read_file(folder / (set + ".dolphin")));
    EXPECT_TRUE(run_vectors(*vectors, *GetParam(), dolphin) == tests::read_file(folder / (set + ".console")));
    EXPECT_TRUE(run_vectors(*vectors, *GetParam(), console) == tests::read_file(folder / (set + ".console")));
  }
}

TEST_P(SimdKernels, EqualTheReferenceForEveryCount) {
  Random random(4);
  for (std::uint32_t count = 1; count <= 700; ++count) {
    for (const KernelKind kind : {KernelKind::sk1, KernelKind::sk2, KernelKind::skacc}) {
      Call c = random_call(random, kind, count);
      if (kind == KernelKind::skacc) {
        set_indices(c, random_indices(random, count));
        c.destination = random_vertices(random, c.slots);
      }
      ASSERT_NO_FATAL_FAILURE(expect_reference(*GetParam(), c));
    }
  }
}

TEST_P(SimdKernels, EqualTheReferenceForEveryMatrixAndScale) {
  Random random(5);
  for (const Element element : elements) {
    for (int scale = -32; scale < 32; ++scale) {
      for (const Profile* profile : profiles) {
        for (const KernelKind kind : {KernelKind::sk1, KernelKind::sk2, KernelKind::skacc}) {
          Call c = random_call(random, kind, 1 + below(random, 40));
          c.m1 = random_matrix(random, element);
          c.m2 = random_matrix(random, element);
          c.settings = KernelSettings(scale, *profile);
          if (kind == KernelKind::skacc) set_indices(c, random_indices(random, c.count));
          c.destination = random_vertices(random, c.slots);
          ASSERT_NO_FATAL_FAILURE(expect_reference(*GetParam(), c));
        }
      }
    }
  }
}

TEST_P(SimdKernels, EqualTheReferenceForEveryPairOfWeights) {
  Random random(6);
  for (const Profile* profile : {&dolphin, &dolphin_5}) {
    Call c = random_call(random, KernelKind::sk2, 256);
    c.m1 = random_matrix(random, rotation_like);
    c.m2 = random_matrix(random, rotation_like);
    c.settings = KernelSettings(10, *profile);
    for (unsigned w0 = 0; w0 < 256; ++w0) {
      for (unsigned w1 = 0; w1 < 256; ++w1) {
        c.weights[2 * w1] = static_cast<std::uint8_t>(w0);
        c.weights[2 * w1 + 1] = static_cast<std::uint8_t>(w1);
      }
      ASSERT_NO_FATAL_FAILURE(expect_reference(*GetParam(), c));
    }
  }
}

TEST_P(SimdKernels, KeepTheOrderOfRepeatedDestinationsAtEveryDistance) {
  Random random(7);
  for (std::uint32_t distance = 1; distance < 40; ++distance) {
    for (std::uint32_t first = 0; first < 20; ++first) {
      Call c = random_call(random, KernelKind::skacc, 64);
      std::vector<std::uint32_t> indices(c.count);
      for (std::uint32_t k = 0; k < c.count; ++k) indices[k] = 2 * k;
      indices[first + distance] = indices[first];
      set_indices(c, indices);
      c.destination = random_vertices(random, c.slots);
      ASSERT_NO_FATAL_FAILURE(expect_reference(*GetParam(), c));
    }
  }
}

TEST_P(SimdKernels, AccumulateUpToTheLastIndex) {
  Random random(8);
  for (const std::uint32_t count : {3U, 16U, 40U}) {
    Call c = random_call(random, KernelKind::skacc, count);
    std::vector<std::uint32_t> indices(count);
    for (std::uint32_t k = 0; k < count; ++k) indices[k] = 65535 - (count - 1 - k) * 2;
    set_indices(c, indices);
    c.destination = random_vertices(random, c.slots);
    ASSERT_NO_FATAL_FAILURE(expect_reference(*GetParam(), c));
  }
}

TEST_P(SimdKernels, DoNothingForNoVertices) {
  std::uint8_t untouched[vertex_stride] = {1, 2, 3};
  const Matrix m{};
  GetParam()->sk1(untouched, untouched, 0, m, {});
  GetParam()->sk2(untouched, untouched, untouched, 0, m, m, {});
  GetParam()->skacc(untouched, untouched, untouched, untouched, 0, m, {});
  EXPECT_EQ(untouched[0], 1);
}

INSTANTIATE_TEST_SUITE_P(All, SimdKernels, testing::ValuesIn(all_kernels()), [](const auto& test) {
  std::string name = test.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(SimdKernels, TheBestIsTheLastOfAll) {
  EXPECT_EQ(all_kernels().front(), &scalar_kernels());
  EXPECT_EQ(all_kernels().back(), &simd_kernels());
}

}  // namespace
}  // namespace lockline::emu
