#include <algorithm>
#include <array>

#include "harness/rule.hpp"

namespace lockline::harness {
namespace {

using namespace rule_checks;
using enum Severity;

constexpr std::array rule_table{
    Rule{"block.header", crash, "section pointers ascend, lie inside the block, and the first word is 0",
         "the loader takes foreign bytes for a section and the game stops while loading",
         "rebuild the block header", block_header},
    Rule{"block.read", corrupt, "every structure the block names can be read",
         "the game reads foreign bytes in its place", "correct the pointer or count that leads there",
         block_read},
    Rule{"skn.count.min", crash, "SK1 and SK2 entries have at least 3 vertices",
         "the skinning loop's counter wraps to 2^32 passes, runs out of the locked cache and the game stops",
         "pad the entry to 3 vertices by repeating its first vertex", skn_count_min},
    Rule{"skn.count.acc-zero", crash, "an SKAcc entry has at least 1 vertex",
         "the loop's counter wraps to 2^32 passes, runs out of the locked cache and the game stops",
         "remove the entry", skn_count_acc_zero},
    Rule{"skn.size.sk1", corrupt,
         "vertexOffset + count x 12 is at most 8180 bytes (vanilla), 8192 the buffer",
         "the entry runs out of its locked cache buffer: at even index it spoils the entries before and "
         "after it and its own tail; at odd "
         "index it runs past the console's locked cache (Dolphin shows no damage)",
         "split the entry", skn_size_sk1},
    Rule{"skn.size.sk2", corrupt,
         "vertexOffset + count x 12 is at most 4088 bytes (vanilla), 4096 the buffer",
         "the DMA length field holds 7 bits: only the lines beyond a multiple of 128 are moved, the rest of "
         "the destination keeps last "
         "frame's bytes",
         "split the entry", skn_size_sk2},
    Rule{"skn.size.acc", corrupt, "an SKAcc entry has at most 341 vertices (4096 source bytes)",
         "the DMA length field wraps: sources past the first lines are whatever the buffer held",
         "split the entry", skn_size_acc},
    Rule{"skn.align.dest", corrupt,
         "gplVertexArr is a multiple of 32 and the position data starts on a 32-byte boundary",
         "the DMA command's fields are OR-ed: the address moves down to its line and the length changes",
         "align the destination", skn_align_dest},
    Rule{"skn.offset", corrupt, "vertexOffset is below 12 and leads to a whole vertex",
         "every vertex of the entry is written between slots",
         "set vertexOffset to the first whole vertex of the line", skn_offset},
    Rule{"skn.exclusive", corrupt, "no 32-byte line is touched by two SK1/SK2 entries",
         "the later write-back puts its own stale bytes over the other entry's vertices on that line",
         "start each entry on a free line", skn_exclusive},
    Rule{"skn.acc.exclusive", corrupt, "accumulation-only slots share no line with an SK1/SK2 entry",
         "the entry's write-back or the line-wise clear hits the other's vertices",
         "move the slots to lines of their own", skn_acc_exclusive},
    Rule{"skn.acc.sk1", note, "SK1 vertices get no SKAcc supplement", "no vanilla model does this",
         "use an SK2 pair", skn_acc_sk1},
    Rule{"skn.acc.base", note, "every gplDestArr is 0", "no vanilla model does this",
         "use absolute slot numbers", skn_acc_base},
    Rule{"skn.mirror", corrupt, "sources lie at VAR_DATA_OFF + gplVertexArr",
         "facial poses are written to the mirrored address, out of step into neighbouring source records: "
         "vertices stretch across the screen",
         "lay the sources out as a mirror of the position buffer, gaps included", skn_mirror},
    Rule{"skn.align.array", corrupt, "every variable array starts on a 32-byte boundary",
         "the DMA loads from the line's start and the length changes: the entry works on shifted data",
         "align the array", skn_align_array},
    Rule{"skn.prefix", note, "the vertexOffset bytes before the first source vertex exist and are zero",
         "no vanilla model has other bytes there", "fill the prefix with zeros", skn_prefix},
    Rule{"skn.layout.packed", risk,
         "SK1, SK2 and SKAcc arrays follow each other from 0x24, zero-padded to VAR_DATA_OFF",
         "the mirror base follows from the counts: tools and game may disagree on it", "pack the arrays",
         skn_layout_packed},
    Rule{"skn.order", note, "SK1 and SK2 entries ascend by destination", "no vanilla model is out of order",
         "sort the entries", skn_order},
    Rule{"skn.weights", corrupt, "all weights of a vertex (SK2 pair and SKAcc) sum to 256",
         "the vertex shrinks or swells", "make the weights of the vertex sum to 256", skn_weights},
    Rule{"skn.unwritten", corrupt, "every drawn vertex is written by some entry",
         "the vertex stays frozen in its bind pose", "give the vertex to an entry", skn_unwritten},
    Rule{"skn.memclr.range", corrupt, "memClr covers exactly the accumulation-only slots",
         "sums are not cleared and grow with every frame",
         "recompute memClr from the accumulation-only slots", skn_memclr_range},
    Rule{"skn.memclr.noacc", note, "without SKAcc entries memClr is 0/0", "the clear never runs",
         "set memClr to 0/0", skn_memclr_noacc},
    Rule{"skn.shift", corrupt, "quantize info has high nibble 0 and equals the position array's shift",
         "sources are scaled wrongly: rotation survives, every translation is off by a power of two",
         "copy the position array's shift", skn_shift},
    Rule{"skn.bone.range", crash, "bone ids are below the ACT bone count",
         "the game takes unknown heap bytes for the bone's matrix", "use an existing bone", skn_bone_range},
    Rule{"skn.flush", risk, "every line an SKAcc write touches is flushed or inside memClr",
         "Dolphin does not show it; on the console the line may still be cached next frame, and SKAcc adds "
         "onto last frame's sum",
         "rebuild the flush array", skn_flush},
    Rule{"skn.dup", note, "a destination repeated in an SKAcc entry is a 255 + 1 pair from equal sources",
         "no vanilla model repeats otherwise", "keep the donor's pair as it is", skn_dup},
    Rule{"skn.bounds", corrupt, "every source, index, weight and flush array lies inside the SKN section",
         "the game reads foreign bytes as vertices, weights or slots", "move the array into the section",
         skn_bounds},
    Rule{"gpl.writeback", crash,
         "no header, layout or display-state table starts inside the SK1/SK2 write-back of the position data",
         "the structure is overwritten with vertex bytes every frame; its pointer is followed when the "
         "submesh is drawn",
         "move the structure", gpl_writeback},
    Rule{"gpl.scratch", corrupt,
         "the position region reserves max(stored size, last write of SK1/SK2, SKAcc, memClr)",
         "the data after the positions is overwritten every frame: wrong colours, transparency, UVs",
         "reserve the scratch space", gpl_scratch},
    Rule{"gpl.index", corrupt, "primitive indices lie inside their arrays; lists are terminated and aligned",
         "the graphics processor reads past the array and draws stray triangles",
         "rewrite the primitive list", gpl_index},
    Rule{"gpl.components", corrupt, "only submesh 0 of a skinned model has 6 position components",
         "positions and normals are read out of step", "store 3 components, 6 on the skinned submesh",
         gpl_components},
    Rule{"gpl.owned", crash,
         "every rigid submesh is named by a bone's GEO id, the skinned one by none, no id is past the count",
         "the game stops while loading the model", "correct the bone's GEO id", gpl_owned},
    Rule{"act.tree", crash, "bone links, ids and counts agree; at most 255 bones",
         "the skeleton walk leaves the table or never ends", "rebuild the bone links", act_tree},
    Rule{"face.terminator", crash, "every run list ends with a (0, 0) pair",
         "the applier reads on into pose 0 and takes coordinates for vertex numbers: it writes all over the "
         "source arrays and beyond",
         "append the (0, 0) pair", face_terminator},
    Rule{"face.sum", corrupt, "the runs add up to the entry count",
         "poses are applied to the wrong number of vertices", "correct the runs", face_sum},
    Rule{"face.order", note, "runs ascend without repeats", "no vanilla section does this", "sort the runs",
         face_order},
    Rule{"face.pose0", corrupt, "pose 0 equals the mapped records of the mesh",
         "the vertices jump as soon as the character blinks", "copy the mesh into pose 0", face_pose0},
    Rule{"face.target", crash, "the target exists and a type descriptor matches the record's format",
         "the loader resolves a wild target pointer", "correct target and type descriptor", face_target},
    Rule{"face.mirror", corrupt, "a facial object on the skin needs SK1[0] at slot 0 and the source mirror",
         "facial vertices are stretched", "restore the mirror", face_mirror},
    Rule{"face.written", corrupt, "a facial vertex on the skin is written by SK1 or SK2",
         "the pose has no visible effect there", "map it onto a written slot", face_written},
    Rule{"face.packing", note, "vanilla order without gaps, padded to 32", "no vanilla section has gaps",
         "repack the section", face_packing},
    Rule{"run.fault", crash, "every access of the frame is served", "the game stops; Dolphin prints the line",
         "see the static finding for the entry", nullptr, run_fault},
    Rule{"run.overwrite", corrupt, "a frame changes nothing but positions, matrix fields and facial targets",
         "the structure holds vertex bytes from this frame on", "move the structure or shorten the write",
         nullptr, run_overwrite},
    Rule{"run.stale", corrupt, "after a frame each vertex holds what its entry computes for it",
         "the vertices are drawn at a wrong place", "see the static finding for the entry", nullptr,
         run_stale},
    Rule{"run.drift", corrupt, "two frames of the same pose leave the same positions",
         "the vertices move although the character stands still",
         "clear the accumulation-only slots (memClr)", nullptr, run_drift},
    Rule{"run.saturate", risk, "no component reaches the ends of s16",
         "the vertex is flattened against a plane", "use a smaller shift", nullptr, run_saturate},
    Rule{"run.nan", corrupt, "no NaN reaches a store",
         "Dolphin's JIT stores 32767: the vertex flies to a corner", "check the palette's bone", nullptr,
         run_nan},
    Rule{"run.draw", crash, "after each frame the headers still lead to their arrays",
         "the draw walk follows the pointer", "move the header out of the write's way", nullptr, run_draw},
};

}  // namespace

bool Findings::repeats(const std::string& structure, std::uint32_t begin) {
  if (frame_ == nullptr) return false;
  const auto [found, fresh] =
      seen_.try_emplace({rule_->id, structure, begin}, Seen{out_.size(), frame_->frame});
  if (fresh) return false;
  Seen& seen = found->second;
  if (seen.last_frame != frame_->frame) {
    seen.last_frame = frame_->frame;
    ++out_[seen.index].frames;
  }
  return true;
}

Finding& Findings::add(std::string structure, std::uint32_t begin, std::uint32_t end, std::string cause) {
  if (repeats(structure, begin)) return repeated_;
  Finding f;
  f.rule = rule_->id;
  f.severity = rule_->severity;
  f.structure = std::move(structure);
  f.begin = begin;
  f.end = end;
  if (frame_ != nullptr) {
    f.first = *frame_;
    f.frames = 1;
  }
  f.cause = std::move(cause);
  f.consequence = rule_->consequence;
  f.fix = rule_->fix;
  return out_.emplace_back(std::move(f));
}

std::span<const Rule> rules() {
  return rule_table;
}

const Rule* find_rule(std::string_view id) {
  const auto found =
      std::find_if(rule_table.begin(), rule_table.end(), [&](const Rule& r) { return r.id == id; });
  return found == rule_table.end() ? nullptr : &*found;
}

std::vector<Finding> check_static(const Subject& subject) {
  std::vector<Finding> out;
  Findings findings(out);
  for (const Rule& rule : rule_table) {
    if (rule.check == nullptr) continue;
    findings.begin(rule);
    rule.check(subject, findings);
  }
  return out;
}

}  // namespace lockline::harness
