#include "harness/mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lockline::harness {
namespace {

/// One rigid submesh in 0x400 bytes: s16 / 2^4 positions at 0x100, normals at 0x200, UVs at 0x280, `listed`
/// as one primitive of positions alone.
struct Model {
  std::vector<std::uint8_t> image = std::vector<std::uint8_t>(0x400);
  Block block;

  Model(std::uint8_t opcode, std::vector<std::uint16_t> listed, std::uint16_t positions = 8) {
    Layout layout;
    layout.position.emplace();
    layout.position->header = {
        .at = 0x40, .data = 0, .count = positions, .quantization = {0x34}, .components = 3};
    layout.position->data_at = 0x100;
    PrimitiveList list;
    list.attributes = {{Attribute::position, 2}};
    list.primitives.push_back({opcode, static_cast<std::uint16_t>(listed.size()), std::move(listed)});
    layout.display.emplace();
    layout.display->states.emplace_back().list = std::move(list);
    block.gpl.emplace();
    block.gpl->submeshes.emplace_back().layout = std::move(layout);
  }

  Layout& layout() { return *block.gpl->submeshes[0].layout; }
  PrimitiveList& list() { return *layout().display->states[0].list; }
  void put(std::uint32_t at, std::vector<std::int16_t> values) {
    for (const std::int16_t v : values) store_be(image.data() + at, v), at += 2;
  }

  /// Position numbers of the triangles' corners, each three as one string.
  std::vector<std::string> triangles() {
    const DrawnModel model = drawn_model(block).value();
    std::vector<std::string> out;
    for (const DrawnMesh& mesh : model.meshes) {
      for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (i % 3 == 0) out.emplace_back();
        out.back() += std::to_string(mesh.vertices[mesh.triangles[i]][0]);
      }
    }
    return out;
  }
};

using Triangles = std::vector<std::string>;

TEST(Mesh, TrianglesAreTurnedRound) {
  EXPECT_EQ(Model(0x90, {0, 1, 2, 3, 4, 5}).triangles(), (Triangles{"021", "354"}));
  EXPECT_EQ(Model(0x90, {0, 1, 2, 3, 4}).triangles(), Triangles{"021"});
  EXPECT_EQ(Model(0x90, {0, 1}).triangles(), Triangles{});
}

TEST(Mesh, StripsTurnEverySecondTriangle) {
  EXPECT_EQ(Model(0x98, {0, 1, 2, 3, 4}).triangles(), (Triangles{"021", "123", "243"}));
  EXPECT_EQ(Model(0x98, {0, 1}).triangles(), Triangles{});
  EXPECT_EQ(Model(0x98, {}).triangles(), Triangles{});
}

TEST(Mesh, QuadsAreTwoTrianglesAndFansShareTheFirstCorner) {
  EXPECT_EQ(Model(0x80, {0, 1, 2, 3, 4, 5, 6, 7}).triangles(), (Triangles{"021", "032", "465", "476"}));
  EXPECT_EQ(Model(0x80, {0, 1, 2}).triangles(), Triangles{});
  EXPECT_EQ(Model(0xA0, {0, 1, 2, 3, 4}).triangles(), (Triangles{"021", "032", "043"}));
  EXPECT_EQ(Model(0xA0, {0, 1}).triangles(), Triangles{});
}

TEST(Mesh, TrianglesWithoutAreaOrPositionAreLeftOut) {
  EXPECT_EQ(Model(0x98, {0, 1, 1, 2, 3}).triangles(), (Triangles{"132"}));
  Model past(0x90, {0, 1, 8, 5, 6, 7});
  EXPECT_EQ(past.triangles(), Triangles{"576"});
  EXPECT_EQ(drawn_model(past.block)->outside, 1U);
}

TEST(Mesh, AnIndexOutsideAnotherArrayCostsOnlyThatAttribute) {
  Model model(0x90, {});
  model.layout().uvs.emplace_back().header = {
      .at = 0x60, .data = 0, .count = 2, .quantization = {0x38}, .components = 2};
  model.layout().uvs[0].data_at = 0x280;
  model.put(0x280, {256, 128, -64, 32});
  model.list().attributes = {{Attribute::position, 1}, {Attribute::tex0, 1}};
  model.list().primitives = {{0x90, 3, {0, 0, 1, 1, 2, 2}}};
  const DrawnModel drawn = drawn_model(model.block).value();
  EXPECT_EQ(drawn.outside, 1U);
  ASSERT_EQ(drawn.meshes.size(), 1U);
  EXPECT_TRUE(drawn.meshes[0].has(Attribute::tex0));
  EXPECT_FALSE(drawn.meshes[0].has(Attribute::colour0));
  EXPECT_EQ(texture_coordinates(drawn.meshes[0], model.block, model.image, 0),
            (std::vector<float>{1, 0.5F, 0, 0, -0.25F, 0.125F}));
}

TEST(Mesh, VerticesAreListedOnceForEachCombination) {
  Model model(0x98, {0, 1, 2, 3});
  EXPECT_EQ(drawn_model(model.block)->meshes[0].vertices.size(), 4U);
}

TEST(Mesh, TheNumberOfListedVerticesIsLimited) {
  Model model(0x90, {});
  const Primitive full{0x90, 0x8000, std::vector<std::uint16_t>(0x8000)};
  model.list().primitives.assign(max_listed_vertices / 0x8000, full);
  EXPECT_TRUE(drawn_model(model.block));
  model.list().primitives.push_back({0x90, 1, {0}});
  ASSERT_FALSE(drawn_model(model.block));
  EXPECT_EQ(drawn_model(model.block).error().code, ErrorCode::too_large);
}

TEST(Mesh, ShapesAreReadFromTheImage) {
  Model model(0x90, {0, 1, 2});
  model.put(0x100, {16, -16, 8, 32767, -32768, 1, 0, 0, 0});
  const DrawnModel drawn = drawn_model(model.block).value();
  const Shape shape = shape_of(drawn.meshes[0], model.block, model.image);
  EXPECT_EQ(shape.positions,
            (std::vector<float>{1, -1, 0.5F, 0, 0, 0, 32767.0F / 16, -2048, 0.0625F}));  // 0, 2, 1
  EXPECT_TRUE(shape.normals.empty());
}

TEST(Mesh, NormalsHaveLengthOne) {
  Model model(0x90, {});
  model.layout().lighting.emplace().header = {
      .at = 0x80, .data = 0, .count = 2, .quantization = {0x0E}, .components = 3};
  model.layout().lighting->data_at = 0x200;
  model.put(0x200, {0, 3, -4, 0, 0, 0});
  model.list().attributes = {{Attribute::position, 1}, {Attribute::normal, 1}};
  model.list().primitives = {{0x90, 3, {0, 0, 1, 1, 2, 2}}};
  const DrawnModel drawn = drawn_model(model.block).value();
  EXPECT_EQ(
      shape_of(drawn.meshes[0], model.block, model.image).normals,
      (std::vector<float>{0, 0.6F, -0.8F, 0, 0, 1, 0, 0, 1}));  // its own, one outside, one of no length
}

TEST(Mesh, TheSkinnedSubmeshsNormalsFollowItsPositions) {
  Model model(0x90, {0, 1, 2});
  model.layout().position->header.components = 6;
  model.put(0x100, {1, 2, 3, 0, 0, -9, 4, 5, 6, 7, 0, 0, 7, 8, 9, 0, 2, 0});
  const DrawnModel drawn = drawn_model(model.block).value();
  const Shape shape = shape_of(drawn.meshes[0], model.block, model.image);
  EXPECT_EQ(shape.normals, (std::vector<float>{0, 0, -1, 0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(shape.positions[3], 7.0F / 16);
}

TEST(Mesh, WhatIsNoNumberOrNotThereIsZero) {
  Model model(0x90, {0, 1, 2});
  model.layout().position->header.quantization.raw = 0x40;
  const float values[] = {std::nanf(""), INFINITY, 9e29F, -2e30F, 1.5F, 0};
  for (std::uint32_t i = 0; i < 6; ++i) store_be(model.image.data() + 0x100 + 4 * i, values[i]);
  model.image.resize(0x100 + 21);  // the last number of vertex 1 is cut off, vertex 2 is not there
  const DrawnModel drawn = drawn_model(model.block).value();
  EXPECT_EQ(shape_of(drawn.meshes[0], model.block, model.image).positions,
            (std::vector<float>{0, 0, 9e29F, 0, 0, 0, 0, 1.5F, 0}));
}

TEST(Mesh, ColoursOfEveryFormat) {
  struct Case {
    std::uint8_t format;
    std::uint32_t packed;
    std::vector<std::uint8_t> rgba;
  };
  for (const Case& c : {Case{0, 0xF81F, {255, 0, 255, 255}}, Case{0, 0x07E1, {0, 255, 8, 255}},
                        Case{1, 0x102030, {0x10, 0x20, 0x30, 255}},
                        Case{2, 0x10203040, {0x10, 0x20, 0x30, 255}}, Case{3, 0x12F0, {17, 34, 255, 0}},
                        Case{4, 0xFC003F, {255, 0, 0, 255}}, Case{5, 0x10203040, {0x10, 0x20, 0x30, 0x40}}}) {
    Model model(0x90, {});
    model.layout().colour.emplace().header = {.at = 0x80,
                                              .data = 0,
                                              .count = 1,
                                              .quantization = {static_cast<std::uint8_t>(c.format << 4)},
                                              .components = 0};
    model.layout().colour->packed = {c.packed};
    model.list().attributes = {{Attribute::position, 1}, {Attribute::colour0, 1}};
    model.list().primitives = {{0x90, 3, {0, 0, 1, 0, 2, 1}}};
    const auto out = colours(drawn_model(model.block)->meshes[0], model.block);
    EXPECT_EQ(std::vector(out.begin(), out.begin() + 4), c.rgba) << int{c.format};
    EXPECT_EQ(std::vector(out.begin() + 4, out.begin() + 8), std::vector<std::uint8_t>(4, 255))
        << "outside: white";
  }
}

}  // namespace
}  // namespace lockline::harness
