#include <gtest/gtest.h>

#include "emu/run_vectors.hpp"
#include "tests/support/files.hpp"

namespace lockline::emu {
namespace {

struct Case {
  std::string set;
  const char* expected;
  const Profile* profile;
};

class KernelVectorFiles : public testing::TestWithParam<Case> {};

TEST_P(KernelVectorFiles, LeaveDolphinsBytes) {
  const auto& [set, extension, profile] = GetParam();
  const auto folder = tests::vectors() / "kernels";
  const auto input = tests::read_file(folder / (set + ".in"));
  const auto expected = tests::read_file(folder / (set + extension));
  const auto vectors = parse_kernel_vectors(input);
  ASSERT_TRUE(vectors) << to_string(vectors.error());
  EXPECT_EQ(vectors->fpscr, 4U);
  const auto actual = run_vectors(*vectors, scalar_kernels(), *profile);
  ASSERT_EQ(actual.size(), expected.size());
  EXPECT_TRUE(actual == expected);
}

SkinVertex vertex_at(Bytes bytes, std::size_t index) {
  SkinVertex v;
  for (unsigned i = 0; i < 6; ++i) v[i] = load_be<std::int16_t>(bytes.data() + index * vertex_stride + 2 * i);
  return v;
}

/// The exact path's one-vertex functions, put together as a kernel.
std::vector<SkinVertex> one_by_one(const KernelCase& c, const KernelSettings& s) {
  std::vector<SkinVertex> out;
  for (std::uint32_t slot = 0; slot < c.slots; ++slot) out.push_back(vertex_at(c.destination, slot));
  for (std::uint32_t k = 0; k < c.count; ++k) {
    const SkinVertex v = vertex_at(c.source, k);
    switch (c.kind) {
      case KernelKind::sk1:
        out[k] = store(transform_sk1(v, c.m0, s), s);
        break;
      case KernelKind::sk2:
        out[k] = store(transform_sk2(v, {c.weights[2 * k], c.weights[2 * k + 1]}, c.m0, c.m1, s), s);
        break;
      case KernelKind::skacc: {
        SkinVertex& slot = out[load_be<std::uint16_t>(c.indices.data() + 2 * k)];
        slot = store(transform_skacc(v, c.weights[k], slot, c.m0, s), s);
        break;
      }
    }
  }
  return out;
}

TEST_P(KernelVectorFiles, LeaveTheSameOneVertexAtATime) {
  const auto& [set, extension, profile] = GetParam();
  const auto input = tests::read_file(tests::vectors() / "kernels" / (set + ".in"));
  const auto expected = tests::read_file(tests::vectors() / "kernels" / (set + extension));
  const auto vectors = parse_kernel_vectors(input);
  ASSERT_TRUE(vectors);
  std::size_t at = 0;
  for (const KernelCase& c : vectors->cases) {
    const KernelSettings settings(c.scale, *profile);
    for (const SkinVertex& v : one_by_one(c, settings)) EXPECT_EQ(v, vertex_at(expected, at++));
  }
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const std::string set : {"plain", "wild", "special", "rounding"}) {
    out.push_back({set, ".dolphin", &dolphin_5});
    out.push_back({set, ".console", &console});
    out.push_back({set, ".console", &dolphin});
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, KernelVectorFiles, testing::ValuesIn(cases()), [](const auto& test) {
  std::string name = test.param.set + "_" + std::string(test.param.profile->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(KernelVectorFiles, RoundingProfilesDifferAsOftenAsTheReferenceSays) {
  const auto input = tests::read_file(tests::vectors() / "kernels/rounding.in");
  const auto vectors = parse_kernel_vectors(input);
  ASSERT_TRUE(vectors);
  const auto once = run_vectors(*vectors, scalar_kernels(), console);
  const auto twice = run_vectors(*vectors, scalar_kernels(), dolphin_5);
  ASSERT_EQ(once.size(), twice.size());
  std::size_t differing = 0;
  for (std::size_t i = 0; i < once.size(); i += 2)
    differing += once[i] != twice[i] || once[i + 1] != twice[i + 1] ? 1 : 0;
  EXPECT_EQ(once.size() / 2, 10'692U);
  EXPECT_EQ(differing, 1'683U);
}

}  // namespace
}  // namespace lockline::emu
