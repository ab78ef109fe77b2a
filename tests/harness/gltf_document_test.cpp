#include "harness/gltf_document.hpp"

#include <gtest/gtest.h>

namespace lockline::harness {
namespace {

TEST(GltfDocument, OverflowsPastItsLastByte) {
  const float vectors[6] = {};
  GltfDocument document(48);
  document.add_vectors(vectors);
  document.add_vectors(vectors);
  EXPECT_FALSE(document.overflown());
  document.add_zero_vectors(1000);
  EXPECT_FALSE(document.overflown());
  document.add_colours(std::vector<std::uint8_t>(4));
  EXPECT_TRUE(document.overflown());
}

TEST(GltfDocument, StaysOverflown) {
  GltfDocument document(8);
  document.add_times(std::vector<float>(3));
  document.add_times(std::vector<float>(1));
  EXPECT_TRUE(document.overflown());
}

TEST(GltfDocument, IsEmptyUntilItHasANode) {
  GltfDocument document(8);
  EXPECT_TRUE(document.empty());
  document.add_node({});
  EXPECT_FALSE(document.empty());
}

TEST(GltfDocument, NamesArePrintableAscii) {
  EXPECT_EQ(gltf_name("head\x7F\xFF\n~ "), "head???~ ");
}

}  // namespace
}  // namespace lockline::harness
