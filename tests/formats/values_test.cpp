#include "support.hpp"

// Values read by hand from a hex dump of tests/vectors/frames/canonical_small.block.

namespace lockline::tests {
namespace {

class CanonicalSmall : public testing::Test {
 protected:
  const Block block = parsed(vector_block("canonical_small"));
};

TEST_F(CanonicalSmall, Header) {
  EXPECT_EQ(block.size, 4320U);
  EXPECT_EQ(block.header.gpl, 0x20U);
  EXPECT_EQ(block.header.act, 0x6A0U);
  EXPECT_EQ(block.header.skn, 0xAA0U);
  EXPECT_EQ(block.header.tex | block.header.ptr6 | block.header.facial | block.header.ptr8, 0U);
  EXPECT_EQ(block.gpl->size, 0x680U);
  EXPECT_EQ(block.act->size, 0x400U);
  EXPECT_EQ(block.skn->size, 4320U - 0xAA0U);
  EXPECT_FALSE(block.tex || block.facial || block.ptr6 || block.ptr8);
}

TEST_F(CanonicalSmall, SkinnedSubmesh) {
  ASSERT_EQ(block.gpl->submeshes.size(), 2U);
  const Submesh& body = block.gpl->submeshes[0];
  EXPECT_EQ(body.name->text, "body");
  const Layout& layout = *body.layout;
  EXPECT_EQ(layout.at, 0x44U);
  EXPECT_EQ(layout.uv_channels, 1);

  const PositionArray& position = *layout.position;
  EXPECT_EQ(block.skinned_positions(), &position);
  EXPECT_EQ(position.data_at, 0x80U);
  EXPECT_EQ(position.header.count, 0x44);
  EXPECT_EQ(position.header.quantization.format(), 3);
  EXPECT_EQ(position.header.quantization.shift(), 11);
  EXPECT_EQ(position.header.components, 6);
  const auto& values = std::get<std::vector<std::int16_t>>(position.values);
  EXPECT_EQ(size(position.values), 68U * 6U);
  EXPECT_EQ(values[0], static_cast<std::int16_t>(0xE7EC));
  EXPECT_EQ(values[2], 0x1B41);

  EXPECT_EQ(layout.colour->packed, (std::vector<std::uint32_t>{0xFFFF, 0xFFFF}));
  ASSERT_EQ(layout.uvs.size(), 1U);
  EXPECT_EQ(std::get<std::vector<std::int16_t>>(layout.uvs[0].values),
            (std::vector<std::int16_t>{0, 0, 0x400, 0x400}));
  EXPECT_EQ(layout.uvs[0].palette_name->text, "t.tpl");
  EXPECT_EQ(layout.lighting->data_at, 0x80U);
  EXPECT_EQ(layout.lighting->ambient, 0.0F);
}

TEST_F(CanonicalSmall, RigidSubmesh) {
  const Submesh& cap = block.gpl->submeshes[1];
  EXPECT_EQ(cap.name->text, "cap");
  EXPECT_EQ(cap.layout->position->header.components, 3);
  EXPECT_EQ(cap.layout->position->header.count, 6);
  EXPECT_EQ(std::get<std::vector<std::int16_t>>(cap.layout->position->values)[1], 0x80);
  EXPECT_FALSE(cap.layout->colour || cap.layout->lighting || !cap.layout->uvs.empty());

  const PrimitiveList& list = *cap.layout->display->states[1].list;
  ASSERT_EQ(list.attributes.size(), 1U);
  EXPECT_EQ(list.attributes[0].width, 1);
  EXPECT_EQ(list.primitives[0].indices, (std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5}));
}

TEST_F(CanonicalSmall, PrimitiveList) {
  const DisplayHeader& display = *block.gpl->submeshes[0].layout->display;
  ASSERT_EQ(display.states.size(), 2U);
  EXPECT_EQ(display.states[0].type, 3);
  EXPECT_EQ(display.states[0].setting, 0xCBCU);
  EXPECT_FALSE(display.states[0].list);
  EXPECT_EQ(display.states[1].type, 7);

  const PrimitiveList& list = *display.states[1].list;
  EXPECT_EQ(list.at, 0x420U);
  ASSERT_EQ(list.attributes.size(), 4U);
  EXPECT_EQ(list.column(Attribute::position), 0);
  EXPECT_EQ(list.column(Attribute::normal), 1);
  EXPECT_EQ(list.column(Attribute::colour0), 2);
  EXPECT_EQ(list.column(Attribute::colour1), -1);
  EXPECT_EQ(list.column(Attribute::tex0), 3);
  EXPECT_EQ(list.attributes[2].width, 1);
  EXPECT_EQ(list.attributes[3].width, 2);
  ASSERT_EQ(list.primitives.size(), 1U);
  const Primitive& primitive = list.primitives[0];
  EXPECT_EQ(primitive.opcode, 0x90);
  EXPECT_EQ(primitive.count, 63);
  EXPECT_EQ(primitive.indices.size(), 63U * 4U);
  EXPECT_EQ(primitive.indices[4], 1);
  EXPECT_EQ(primitive.indices[10 * 4], 0xB);  // slot 10 is a gap
  EXPECT_EQ(primitive.indices[62 * 4], 0x41);
  EXPECT_TRUE(list.terminated);
  EXPECT_EQ(list.tail, Data(0x1C0 - 3 - 63 * 7, 0));
}

TEST_F(CanonicalSmall, Bones) {
  const Act& act = *block.act;
  EXPECT_EQ(act.actor_id, 1);
  EXPECT_EQ(act.bone_count, 12);
  EXPECT_EQ(act.root_pointer, 0x20U);
  EXPECT_EQ(act.geo_name->text, "test.gpl");
  ASSERT_EQ(act.bones.size(), 12U);
  ASSERT_EQ(act.controls.size(), 12U);
  EXPECT_EQ(act.bones[3].id, 3);
  EXPECT_EQ(act.bones[3].previous, 0x58U);
  EXPECT_EQ(act.bones[3].next, 0x90U);
  EXPECT_EQ(act.bones[3].parent, 0x20U);
  EXPECT_EQ(act.bones[3].geo_id, Bone::no_submesh);
  EXPECT_EQ(act.bones[11].geo_id, 1);
  const Control* control = act.control_of(act.bones[11]);
  ASSERT_NE(control, nullptr);
  EXPECT_EQ(control->mask, Control::translation_bit);
  EXPECT_EQ(control->values[0], 1.0F);   // scale
  EXPECT_EQ(control->values[6], 1.0F);   // quaternion w
  EXPECT_EQ(control->values[7], 2.75F);  // translation
  EXPECT_EQ(control->values[8], 1.0F);
}

TEST_F(CanonicalSmall, Skin) {
  const Skn& skn = *block.skn;
  EXPECT_EQ(skn.quantize_info, 0x0B);
  EXPECT_EQ(skn.variable_data_offset(), 0x220U);
  ASSERT_EQ(skn.sk1.size(), 3U);
  ASSERT_EQ(skn.sk2.size(), 2U);
  ASSERT_EQ(skn.acc.size(), 1U);

  const Sk1Entry& sk1 = skn.sk1[1];
  EXPECT_EQ(sk1.source, 0x2A0U);
  EXPECT_EQ(sk1.source_at, 0xD40U);
  EXPECT_EQ(sk1.destination, 0x80U);
  EXPECT_EQ(sk1.bone, 6);
  EXPECT_EQ(sk1.vertex_offset, 4);
  EXPECT_EQ(sk1.prefix, (Data{0x21, 0x0B, 0xF0, 0x3B}));
  ASSERT_EQ(sk1.vertices.size(), 5U);
  EXPECT_EQ(sk1.vertices[0][0], 0x0524);
  EXPECT_EQ(sk1.vertices[0][5], static_cast<std::int16_t>(0xE82A));

  const Sk2Entry& sk2 = skn.sk2[0];
  EXPECT_EQ(sk2.bone1, 3);
  EXPECT_EQ(sk2.bone2, 6);
  EXPECT_EQ(sk2.destination, 0x240U);
  EXPECT_EQ(sk2.vertices.size(), 7U);
  EXPECT_EQ(sk2.vertices[0][0], 0x0C7A);
  ASSERT_EQ(sk2.weights.size(), 7U);
  EXPECT_EQ(sk2.weights[0], (std::array<std::uint8_t, 2>{0xB9, 0x47}));
  EXPECT_EQ(sk2.weights[6], (std::array<std::uint8_t, 2>{0x3C, 0xC4}));

  const SkAccEntry& acc = skn.acc[0];
  EXPECT_EQ(acc.bone, 8);
  EXPECT_EQ(acc.destination, 0U);
  EXPECT_EQ(acc.indices, (std::vector<std::uint16_t>{0x32, 0x34, 0x39, 0x43}));
  EXPECT_EQ(acc.weights, Data(4, 0x38));
  EXPECT_EQ(acc.vertices[3][5], 0x0BB7);
  EXPECT_EQ(skn.flush, (std::vector<std::uint16_t>{0x30, 0x33, 0x38, 0x43}));
  EXPECT_EQ(skn.memclr_size, 0U);
}

TEST(Values, VectorsThatBreakOneRuleStillReadWhole) {
  EXPECT_EQ(parsed(vector_block("sk1_count0")).skn->sk1.back().vertices.size(), 0U);
  EXPECT_EQ(parsed(vector_block("sk1_count1_first")).skn->sk1.front().vertices.size(), 1U);
  EXPECT_EQ(parsed(vector_block("acc_count0")).skn->acc.front().indices.size(), 0U);
  const Block many = parsed(vector_block("many_entries"));
  EXPECT_EQ(many.skn->sk1.size() + many.skn->sk2.size() + many.skn->acc.size(),
            many.skn->sk1_count + many.skn->sk2_count + many.skn->acc_count);
}

}  // namespace
}  // namespace lockline::tests
