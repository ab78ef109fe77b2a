#include "harness/first_paint.hpp"

#include <gtest/gtest.h>

#include "formats/random.hpp"

namespace lockline::harness {
namespace {

TEST(FirstPaint, KeepsTheFirstValueOfEachCellAsAPlainLoopDoes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SplitMix64 random(seed);
    const std::uint32_t cells = 1 + random.below(100);
    FirstPaint paint(cells);
    std::vector<std::int32_t> plain(cells, -1);
    for (std::int32_t stroke = 0; stroke < 30; ++stroke) {
      const std::uint32_t begin = random.below(cells + 20), end = begin + random.below(40);
      paint.paint(begin, end, stroke);
      for (std::uint32_t cell = begin; cell < end && cell < cells; ++cell) {
        if (plain[cell] < 0) plain[cell] = stroke;
      }
    }
    EXPECT_EQ(paint.values(), plain) << "seed " << seed;
  }
}

TEST(FirstPaint, TakesStrokesPastTheLastCellAndEmptyOnes) {
  FirstPaint paint(4);
  paint.paint(4, 9, 1);
  paint.paint(2, 2, 2);
  paint.paint(3, ~std::uint64_t{0}, 3);
  EXPECT_EQ(paint.values(), (std::vector<std::int32_t>{-1, -1, -1, 3}));
  FirstPaint none(0);
  none.paint(0, 5, 1);
  EXPECT_TRUE(none.values().empty());
}

}  // namespace
}  // namespace lockline::harness
