#include "emu/relocate.hpp"

namespace lockline::emu {
namespace {

/// Adds bases to pointer fields, each once, wherever the block really has the bytes.
class Relocator {
 public:
  Relocator(MutableBytes memory, std::uint32_t block_address)
      : memory_(memory), block_address_(block_address), done_(memory.size()) {}

  /// The field at block offset `at` becomes block_address + base + field.
  void always(std::uint32_t at, std::uint32_t base) {
    if (!contains(memory_.size(), at, 4) || done_[at]) return;
    done_[at] = true;
    std::uint8_t* field = memory_.data() + at;
    store_be(field, load_be<std::uint32_t>(field) + block_address_ + base);
  }
  void unless_null(std::uint32_t at, std::uint32_t base) {
    if (contains(memory_.size(), at, 4) && load_be<std::uint32_t>(memory_.data() + at) != 0) always(at, base);
  }

 private:
  MutableBytes memory_;
  std::uint32_t block_address_;
  std::vector<bool> done_;  ///< by field offset: structures may share fields
};

void relocate_layout(Relocator& r, const Layout& layout) {
  const std::uint32_t base = layout.at;
  for (std::uint32_t field = 0; field < 0x14; field += 4) r.unless_null(layout.at + field, base);
  if (layout.position) r.unless_null(layout.position->header.at, base);
  if (layout.colour) r.unless_null(layout.colour->header.at, base);
  for (const UvArray& uv : layout.uvs) {
    r.unless_null(uv.header.at, base);
    r.unless_null(uv.header.at + 8, base);
  }
  if (layout.lighting) r.unless_null(layout.lighting->header.at, base);
  if (!layout.display) return;
  r.unless_null(layout.display->at, base);
  r.unless_null(layout.display->at + 4, base);
  for (const DisplayState& state : layout.display->states) r.unless_null(state.at + 8, base);
}

void relocate_gpl(Relocator& r, const Gpl& gpl) {
  r.unless_null(gpl.at + 0x08, gpl.at);
  r.unless_null(gpl.at + 0x10, gpl.at);
  for (const Submesh& submesh : gpl.submeshes) {
    r.unless_null(submesh.at, gpl.at);
    r.unless_null(submesh.at + 4, gpl.at);
    if (submesh.layout) relocate_layout(r, *submesh.layout);
  }
}

void relocate_act(Relocator& r, const Act& act) {
  for (const std::uint32_t field : {0x0CU, 0x10U, 0x1CU}) r.unless_null(act.at + field, act.at);
  for (const Bone& bone : act.bones) {
    for (std::uint32_t field = 0; field < 0x14; field += 4) r.unless_null(bone.at + field, act.at);
  }
  for (const UserData& data : act.user_data) r.unless_null(data.at + 8, act.at);
}

void relocate_skn(Relocator& r, const Skn& skn, std::uint32_t positions) {
  for (const std::uint32_t field : {0x08U, 0x0CU, 0x10U, 0x1CU}) r.always(skn.at + field, skn.at);
  r.always(skn.at + 0x14, positions);
  for (const Sk1Entry& e : skn.sk1) {
    r.always(e.at + 0x30, skn.at);
    r.always(e.at + 0x34, positions);
  }
  for (const Sk2Entry& e : skn.sk2) {
    r.always(e.at + 0x60, skn.at);
    r.always(e.at + 0x64, skn.at);
    r.always(e.at + 0x68, positions);
  }
  for (const SkAccEntry& e : skn.acc) {
    r.always(e.at + 0x30, skn.at);
    r.always(e.at + 0x34, skn.at);
    r.always(e.at + 0x38, positions);
    r.always(e.at + 0x3C, skn.at);
  }
}

void relocate_facial(Relocator& r, const Facial& facial) {
  r.unless_null(facial.at + 0x08, facial.at);
  r.unless_null(facial.at + 0x0C, facial.at);
  for (const FacialObject& object : facial.objects) {
    r.unless_null(object.at + 8, facial.at);
    for (const FacialAttribute& a : object.attributes) {
      r.unless_null(a.at + 8, facial.at);
      for (std::uint32_t p = 0; p < a.pose_pointers.size(); ++p) r.unless_null(a.at + 12 + 4 * p, facial.at);
    }
  }
}

}  // namespace

void relocate(MutableBytes memory, const Block& block, std::uint32_t block_address) {
  Relocator r(memory, block_address);
  for (std::uint32_t field = 4; field < BlockHeader::bytes; field += 4) r.unless_null(field, 0);
  if (block.gpl) relocate_gpl(r, *block.gpl);
  if (block.act) relocate_act(r, *block.act);
  const PositionArray* positions = block.skinned_positions();
  if (block.skn && positions != nullptr) relocate_skn(r, *block.skn, positions->data_at);
  if (block.facial) relocate_facial(r, *block.facial);
}

}  // namespace lockline::emu
