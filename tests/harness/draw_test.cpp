#include "harness/draw.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/check.hpp"
#include "harness/draw_effect.hpp"

/// What drawing does with pointers that are null or wild, and with counts, formats and arrays that a frame
/// changed.
namespace lockline::harness {
namespace {

class Draw : public testing::Test {
 protected:
  Draw()
      : bytes_(corpus::build_bytes(corpus::find("plain-body").value()).value()),
        block_(parse_block(bytes_).value()),
        layout_(*block_.gpl->submeshes[0].layout) {}

  /// The finding of run.draw on the model with this word in it; nullopt: none.
  std::optional<Finding> with_word(std::uint32_t at, std::uint32_t value) {
    auto bytes = bytes_;
    store_be(bytes.data() + at, value);
    const auto report = check(bytes, CheckOptions{});
    if (!report) return std::nullopt;
    for (const Finding& f : report->findings)
      if (f.rule == "run.draw") return f;
    return std::nullopt;
  }

  /// The effect of this byte in the structure whose first byte is `structure`.
  std::string effect(std::uint32_t structure, std::uint32_t at, std::uint8_t value) {
    auto now = bytes_;
    now[at] = value;
    const StructureMap map(block_);
    for (const StructureRange& range : map.ranges()) {
      if (range.begin == structure && range.kind != StructureKind::gap)
        return draw_effect(block_, range, bytes_, now).value_or("nothing");
    }
    return "no such structure";
  }

  std::vector<std::uint8_t> bytes_;
  Block block_;
  const Layout& layout_;
};

TEST_F(Draw, NullArrayPointerGivesTheSeedsLine) {
  const auto f = with_word(layout_.colour->header.at, 0);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->severity, Severity::crash);
  EXPECT_EQ(f->dolphin_line, "Invalid read from 0x00000000, PC = 0x8052ec90");
  EXPECT_EQ(f->structure, "GPL / submesh 0 / colour header");
  EXPECT_EQ(f->cause, "its pointer is null in the file");
}

TEST_F(Draw, WildArrayPointerIsReadWhereItLeads) {
  // 0x80c00000 + layout + 0x10000000 lies between the two memories.
  const auto f = with_word(layout_.colour->header.at, 0x20000000);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->dolphin_line,
            fmt::format("Invalid read from {:#010x}, PC = 0x8052ec90", 0x80C00000 + layout_.at + 0x20000000));
}

TEST_F(Draw, NullLayoutHasNoKnownInstruction) {
  const auto f = with_word(block_.gpl->submeshes[1].at, 0);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->dolphin_line, "Invalid read from 0x00000000");
  EXPECT_NE(f->consequence.find("FUN_8052e99c"), std::string::npos);
}

TEST_F(Draw, OptionalPartsMayBeNull) {
  EXPECT_FALSE(with_word(layout_.at + 0x04, 0));  // no colours
  EXPECT_FALSE(with_word(layout_.display->states[0].at + 8, layout_.display->states[0].list_pointer));
}

TEST_F(Draw, WildListIsTheGraphicsProcessors) {
  const DisplayState* state = nullptr;
  for (const DisplayState& s : layout_.display->states)
    if (s.list) state = &s;
  ASSERT_NE(state, nullptr);
  const auto f = with_word(state->at + 8, 0x20000004);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->severity, Severity::crash);
  EXPECT_FALSE(f->dolphin_line);
  EXPECT_NE(f->consequence.find("graphics processor"), std::string::npos);
}

TEST_F(Draw, ChangedColoursCountTheirVertices) {
  const std::uint32_t at = layout_.colour->data_at;
  std::uint32_t uses = 0, all = 0;
  for (const DisplayState& s : layout_.display->states) {
    if (!s.list) continue;
    const int column = s.list->column(Attribute::colour0);
    for (const Primitive& p : s.list->primitives)
      for (auto i = static_cast<std::size_t>(column); i < p.indices.size(); i += s.list->attributes.size())
        ++all, uses += p.indices[i] == 0 ? 1 : 0;
  }
  ASSERT_GT(uses, 0U);
  EXPECT_EQ(effect(at, at, bytes_[at] ^ 0xFF),
            fmt::format("1 colour of {} gets other bytes; {} of {} drawn vertices use them",
                        layout_.colour->header.count, uses, all));
}

TEST_F(Draw, ChangedFieldsSayWhatIsRead) {
  const ArrayHeader& uv = layout_.uvs[0].header;
  EXPECT_EQ(effect(uv.at, uv.at + 5, 0xFF),
            fmt::format("UVs: count {:#x} becomes {:#x}: drawing does not use it", uv.count,
                        (uv.count & 0xFF00) | 0xFF));
  EXPECT_EQ(effect(uv.at, uv.at + 6, 0x40),
            fmt::format("UVs: quantization {:#x} becomes 0x40: read in another format or scale",
                        uv.quantization.raw));
  EXPECT_EQ(effect(uv.at, uv.at + 7, 3), "UVs: component count 0x2 becomes 0x3: read with another stride");
  const DisplayHeader& display = *layout_.display;
  EXPECT_EQ(effect(display.at, display.at + 9, 9),
            fmt::format("display state count {:#x} becomes 0x9: the draw walk takes so many states",
                        display.state_count));
  const CString& palette = *layout_.uvs[0].palette_name;
  EXPECT_EQ(effect(palette.at, palette.at, '?'), "the palette (texture) of this name is not found");
}

TEST_F(Draw, PointersAloneHaveNoOtherEffect) {
  const ArrayHeader& colour = layout_.colour->header;
  EXPECT_EQ(effect(colour.at, colour.at, 0xFF), "nothing");
}

TEST_F(Draw, ChangedListNamesItsFirstByte) {
  for (const DisplayState& s : layout_.display->states) {
    if (!s.list) continue;
    EXPECT_EQ(effect(s.list->at, s.list->at + 3, bytes_[s.list->at + 3] ^ 1).substr(0, 76),
              "the graphics processor takes vertex bytes for commands and indices from +0x3");
    return;
  }
}

}  // namespace
}  // namespace lockline::harness
