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
         "rebuild the block header", "formats.md (block header); vanilla pointers ascend",
         "header-descending", "it happens while the model is loaded", block_header},
    Rule{"block.read", corrupt, "every structure the block names can be read",
         "the game reads foreign bytes in its place", "correct the pointer or count that leads there",
         "formats.md: the tables say where each structure lies", "gpl-list-count",
         "what cannot be read is not emulated", block_read},
    Rule{"skn.count.min", crash, "SK1 and SK2 entries have at least 3 vertices",
         "the skinning loop's counter wraps to 2^32 passes, runs out of the locked cache and the game stops",
         "pad the entry to 3 vertices by repeating its first vertex",
         "seed, skinning data: crash log of a one-vertex entry, vanilla minimum 3 (10,246 entries); library: "
         "the counter is count - 1, tested at the end; Dolphin: PC and address by offset and buffer",
         "sk1-one-odd", "", skn_count_min},
    Rule{"skn.count.acc-zero", crash, "an SKAcc entry has at least 1 vertex",
         "the loop's counter wraps to 2^32 passes, runs out of the locked cache and the game stops",
         "remove the entry",
         "library: the counter is count, tested at the end; Dolphin: faults past the locked cache",
         "acc-zero", "", skn_count_acc_zero},
    Rule{"skn.size.sk1", corrupt,
         "vertexOffset + count x 12 is at most 8180 bytes (vanilla), 8192 the buffer",
         "the entry runs out of its locked cache buffer: at even index it spoils the entries before and "
         "after it and its own tail; at odd "
         "index it runs past the console's locked cache (Dolphin shows no damage)",
         "split the entry",
         "seed: vanilla maximum 8180; library: two buffers of 8 KB; Dolphin: damage by buffer parity",
         "sk1-over-even", "", skn_size_sk1},
    Rule{"skn.size.sk2", corrupt,
         "vertexOffset + count x 12 is at most 4088 bytes (vanilla), 4096 the buffer",
         "the DMA length field holds 7 bits: only the lines beyond a multiple of 128 are moved, the rest of "
         "the destination keeps last "
         "frame's bytes",
         "split the entry", "seed: vanilla maximum 4088; Dolphin: 129 lines move 1 line, 256 move 128",
         "sk2-over", "", skn_size_sk2},
    Rule{"skn.size.acc", corrupt, "an SKAcc entry has at most 341 vertices (4096 source bytes)",
         "the DMA length field wraps: sources past the first lines are whatever the buffer held",
         "split the entry", "library: one DMA command of at most 128 lines per array; Dolphin: as for SK2",
         "acc-over", "", skn_size_acc},
    Rule{"skn.align.dest", corrupt,
         "gplVertexArr is a multiple of 32 and the position data starts on a 32-byte boundary",
         "the DMA command's fields are OR-ed: the address moves down to its line and the length changes",
         "align the destination",
         "seed: every gplVertexArr is a multiple of 32 (12,364 entries); Dolphin: a misaligned address moves "
         "down and changes the length",
         "dest-misaligned", "", skn_align_dest},
    Rule{"skn.offset", corrupt, "vertexOffset is below 12 and leads to a whole vertex",
         "every vertex of the entry is written between slots",
         "set vertexOffset to the first whole vertex of the line",
         "seed: vertexOffset < stride in all 361 skinned models", "dest-off-slot",
         "vertices between slots belong to none that could be compared", skn_offset},
    Rule{"skn.exclusive", corrupt, "no 32-byte line is touched by two SK1/SK2 entries",
         "the later write-back puts its own stale bytes over the other entry's vertices on that line",
         "start each entry on a free line",
         "seed: no line is shared in 361 models (12,364 entries); library: whole lines are written back",
         "shared-line", "", skn_exclusive},
    Rule{"skn.acc.exclusive", corrupt, "accumulation-only slots share no line with an SK1/SK2 entry",
         "the entry's write-back or the line-wise clear hits the other's vertices",
         "move the slots to lines of their own",
         "seed: accumulation-only slots touch no line of an SK1/SK2 entry", "acc-shares-line", "",
         skn_acc_exclusive},
    Rule{"skn.acc.sk1", note, "SK1 vertices get no SKAcc supplement", "no vanilla model does this",
         "use an SK2 pair", "seed: SK1 vertices never receive supplements", "sk1-supplement", "",
         skn_acc_sk1},
    Rule{"skn.acc.base", note, "every gplDestArr is 0", "no vanilla model does this",
         "use absolute slot numbers", "seed: every observed gplDestArr is 0", "acc-base", "", skn_acc_base},
    Rule{"skn.mirror", corrupt, "sources lie at VAR_DATA_OFF + gplVertexArr",
         "facial poses are written to the mirrored address, out of step into neighbouring source records: "
         "vertices stretch across the screen",
         "lay the sources out as a mirror of the position buffer, gaps included",
         "seed: true of all 361 models; two failures in the game (Peach, Luigi) came from breaking it",
         "luigi-repacked", "", skn_mirror},
    Rule{"skn.align.array", corrupt, "every variable array starts on a 32-byte boundary",
         "the DMA loads from the line's start and the length changes: the entry works on shifted data",
         "align the array", "seed: all vanilla arrays are aligned; Dolphin: DMA addresses are line numbers",
         "array-misaligned", "", skn_align_array},
    Rule{"skn.prefix", note, "the vertexOffset bytes before the first source vertex exist and are zero",
         "no vanilla model has other bytes there", "fill the prefix with zeros",
         "seed, source array prefix bytes", "prefix-dropped", "", skn_prefix},
    Rule{"skn.layout.packed", risk,
         "SK1, SK2 and SKAcc arrays follow each other from 0x24, zero-padded to VAR_DATA_OFF",
         "the mirror base follows from the counts: tools and game may disagree on it", "pack the arrays",
         "seed: the struct arrays are contiguous; the runtime appears to derive the mirror base from their "
         "sizes",
         "arrays-apart", "", skn_layout_packed},
    Rule{"skn.order", note, "SK1 and SK2 entries ascend by destination", "no vanilla model is out of order",
         "sort the entries", "seed: vanilla SK1 and SK2 entries ascend by destination", "order-swapped", "",
         skn_order},
    Rule{"skn.weights", corrupt, "all weights of a vertex (SK2 pair and SKAcc) sum to 256",
         "the vertex shrinks or swells", "make the weights of the vertex sum to 256",
         "seed: 89,381 SK2 pairs sum to 256, lower ones get SKAcc supplements; 255 + 1 duplicates",
         "weights-under", "the emulation takes the weights as they are", skn_weights},
    Rule{"skn.unwritten", corrupt, "every drawn vertex is written by some entry",
         "the vertex stays frozen in its bind pose", "give the vertex to an entry",
         "runtime.md: only entries write positions; what no entry writes keeps its bind pose", "unwritten",
         "a frame leaves it as it is", skn_unwritten},
    Rule{"skn.memclr.range", corrupt, "memClr covers exactly the accumulation-only slots",
         "sums are not cleared and grow with every frame",
         "recompute memClr from the accumulation-only slots",
         "seed: exact on 324 of 325 models, one clears a line more; library: cleared in whole lines after "
         "SK1 and SK2",
         "memclr-missing", "", skn_memclr_range},
    Rule{"skn.memclr.noacc", note, "without SKAcc entries memClr is 0/0", "the clear never runs",
         "set memClr to 0/0", "library: the clear is part of the SKAcc step", "memclr-no-acc", "",
         skn_memclr_noacc},
    Rule{"skn.shift", corrupt, "quantize info has high nibble 0 and equals the position array's shift",
         "sources are scaled wrongly: rotation survives, every translation is off by a power of two",
         "copy the position array's shift",
         "library: the byte goes into GQR7 whole, of which 6 bits are the scale", "quant-mismatch", "",
         skn_shift},
    Rule{"skn.bone.range", crash, "bone ids are below the ACT bone count",
         "the game takes unknown heap bytes for the bone's matrix", "use an existing bone",
         "seed: a validator refuses bone ids at or past the ACT bone count; what lies behind the palette is "
         "not known",
         "bone-one-past", "", skn_bone_range},
    Rule{"skn.bone.donor", corrupt,
         "the skin uses only bones that the donor's skin uses at this level of detail, or appended ones",
         "the bone's matrix is not made for skinning: the vertices are invisible or misplaced",
         "weight the vertices to a bone that the donor skins",
         "seed: invisible and misplaced models when a skin used bones that own meshes (Bowser); appended "
         "bones work",
         "bone-donor", "what the game puts into such a matrix is not known", nullptr, nullptr, Partner::donor,
         skn_bone_donor},
    Rule{"skn.flush", risk, "every line an SKAcc write touches is flushed or inside memClr",
         "Dolphin does not show it; on the console the line may still be cached next frame, and SKAcc adds "
         "onto last frame's sum",
         "rebuild the flush array",
         "library: dcbst after each sum, dcbf for the flush array; the console's DMA does not snoop "
         "(assumption); Dolphin has no cache to show it",
         "flush-missing", "the console's data cache is not modelled", skn_flush},
    Rule{"skn.dup", note, "a destination repeated in an SKAcc entry is a 255 + 1 pair from equal sources",
         "no vanilla model repeats otherwise", "keep the donor's pair as it is",
         "seed: all 936 duplicate groups are 255 + 1 from equal sources", "duplicate-split", "", skn_dup},
    Rule{"skn.bounds", corrupt, "every source, index, weight and flush array lies inside the SKN section",
         "the game reads foreign bytes as vertices, weights or slots", "move the array into the section",
         "formats.md: these pointers are relative to SKN", "weights-outside",
         "the emulation takes the foreign bytes as the game does", skn_bounds},
    Rule{"gpl.writeback", crash,
         "no header, layout or display-state table starts inside the SK1/SK2 write-back of the position data",
         "the structure is overwritten with vertex bytes every frame; its pointer is followed when the "
         "submesh is drawn",
         "move the structure",
         "seed: Pom Pom, \"Invalid read from 0x00000000, PC 0x8052ec90\"; library: whole lines are written "
         "back",
         "writeback-colour-header", "", gpl_writeback},
    Rule{"gpl.scratch", corrupt,
         "the position region reserves max(stored size, last write of SK1/SK2, SKAcc, memClr)",
         "the data after the positions is overwritten every frame: wrong colours, transparency, UVs",
         "reserve the scratch space",
         "seed: 163 of 325 models write past the stored array; a rebuild must reserve that; one vanilla "
         "model clears 0x14 bytes past the end and runs",
         "scratch-not-reserved", "", gpl_scratch},
    Rule{"gpl.index", corrupt, "primitive indices lie inside their arrays; lists are terminated and aligned",
         "the graphics processor reads past the array and draws stray triangles",
         "rewrite the primitive list", "formats.md, primitive lists; the graphics processor does not check",
         "gpl-index-past", "the graphics processor is not emulated", gpl_index},
    Rule{"gpl.components", corrupt, "only submesh 0 of a skinned model has 6 position components",
         "positions and normals are read out of step", "store 3 components, 6 on the skinned submesh",
         "seed: all 172 player models have their only skinned buffer in submesh 0", "gpl-components",
         "the graphics processor is not emulated", gpl_components},
    Rule{"gpl.owned", crash,
         "every rigid submesh is named by a bone's GEO id, the skinned one by none, no id is past the count",
         "the game stops while loading the model", "correct the bone's GEO id",
         "runtime.md: \"Invalid read from 0x00000008, PC = 0x804FF694\" on load", "geo-unowned",
         "it happens while the model is loaded", gpl_owned},
    Rule{"act.tree", crash, "bone links, ids and counts agree; at most 255 bones",
         "the skeleton walk leaves the table or never ends", "rebuild the bone links",
         "formats.md, ACT; 255 bones is the mirror table's cap (seed)", "act-cycle",
         "it happens while the model is loaded", act_tree},
    Rule{"lod.pair", crash, "a low model draws and skins only bones that its high model has",
         "the game reads past the high model's matrices when it changes the level of detail",
         "use the high model's bones",
         "seed: a low model's skin and drawn bones must exist in the high model", "lod-low-foreign",
         "one level of detail is emulated at a time", nullptr, nullptr, Partner::pair, lod_pair},
    Rule{"face.terminator", crash, "every run list ends with a (0, 0) pair",
         "the applier reads on into pose 0 and takes coordinates for vertex numbers: it writes all over the "
         "source arrays and beyond",
         "append the (0, 0) pair",
         "seed: all 159 vanilla lists end so; a rebuilt Luigi without it crashed at character select",
         "face-no-terminator", "", face_terminator},
    Rule{"face.sum", corrupt, "the runs add up to the entry count",
         "poses are applied to the wrong number of vertices", "correct the runs",
         "seed: runs add up to the entry count in all 159 vanilla records", "face-sum",
         "the emulation applies the runs as they are", face_sum},
    Rule{"face.order", note, "runs ascend without repeats", "no vanilla section does this", "sort the runs",
         "seed: vanilla runs ascend and are unique", "face-order", "", face_order},
    Rule{"face.pose0", corrupt, "pose 0 equals the mapped records of the mesh",
         "the vertices jump as soon as the character blinks", "copy the mesh into pose 0",
         "seed: pose 0 equals the mapped records in every surveyed model", "face-pose0",
         "a jump looks like a pose", face_pose0},
    Rule{"face.target", crash, "the target exists and a type descriptor matches the record's format",
         "the loader resolves a wild target pointer", "correct target and type descriptor",
         "seed: every record's format bytes match a type descriptor", "face-target",
         "it happens while the model is loaded", face_target},
    Rule{"face.mirror", corrupt, "a facial object on the skin needs SK1[0] at slot 0 and the source mirror",
         "facial vertices are stretched", "restore the mirror",
         "seed: SK1[0] has the lowest destination and gplVertexArr 0 in all 318 models with SK1; poses go to "
         "the mirror",
         "face-sk1-not-first", "", face_mirror},
    Rule{"face.written", corrupt, "a facial vertex on the skin is written by SK1 or SK2",
         "the pose has no visible effect there", "map it onto a written slot",
         "seed: every facial vertex on a skin is written by SK1 or SK2", "face-unwritten",
         "a slot that nothing writes does not change", face_written},
    Rule{"face.packing", note, "vanilla order without gaps, padded to 32", "no vanilla section has gaps",
         "repack the section", "seed: vanilla sections have no gaps", "", "", face_packing},
    Rule{"run.fault", crash, "every access of the frame is served", "the game stops; Dolphin prints the line",
         "see the static finding for the entry",
         "emulation; addresses and program counters as in Dolphin 5.0-17995 (conformance suite)",
         "sk1-one-odd", "", nullptr, run_fault},
    Rule{"run.overwrite", corrupt, "a frame changes nothing but positions, matrix fields and facial targets",
         "the structure holds vertex bytes from this frame on", "move the structure or shorten the write",
         "emulation: every write has an author", "writeback-colour-header", "", nullptr, run_overwrite},
    Rule{"run.stale", corrupt, "after a frame each vertex holds what its entry computes for it",
         "the vertices are drawn at a wrong place", "see the static finding for the entry",
         "emulation, compared with each entry's own vertices and weights", "retyped-mid-line", "", nullptr,
         run_stale},
    Rule{"run.drift", corrupt, "two frames of the same pose leave the same positions",
         "the vertices move although the character stands still",
         "clear the accumulation-only slots (memClr)", "emulation: two frames of one pose", "memclr-missing",
         "", nullptr, run_drift},
    Rule{"run.saturate", risk, "no component reaches the ends of s16",
         "the vertex is flattened against a plane", "use a smaller shift", "arithmetic.md: stores clamp", "",
         "", nullptr, run_saturate},
    Rule{"run.nan", corrupt, "no NaN reaches a store",
         "Dolphin's JIT stores 32767: the vertex flies to a corner", "check the palette's bone",
         "arithmetic.md: Dolphin's JIT stores 32767 for a NaN, its interpreter 0", "", "", nullptr, run_nan},
    Rule{"run.draw", crash, "after each frame the headers still lead to their arrays",
         "the draw walk follows the pointer", "move the header out of the write's way",
         "runtime.md: the draw walk FUN_8052e99c; emulation of the memory it walks",
         "writeback-colour-header", "", nullptr, run_draw},
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

std::vector<Finding> check_static(const Subject& subject, const Partners& partners) {
  std::vector<Finding> out;
  Findings findings(out);
  for (const Rule& rule : rule_table) {
    findings.begin(rule);
    if (rule.check != nullptr) rule.check(subject, findings);
    const Block* partner = rule.compare == nullptr ? nullptr : partners.of(rule.partner);
    if (partner != nullptr) rule.compare(subject, *partner, findings);
  }
  return out;
}

std::vector<const Rule*> rules_without(const Partners& partners) {
  std::vector<const Rule*> out;
  for (const Rule& rule : rule_table) {
    if (rule.compare != nullptr && partners.of(rule.partner) == nullptr) out.push_back(&rule);
  }
  return out;
}

std::string_view why_skipped(Partner partner) {
  return partner == Partner::donor ? "no unmodified model was given (--donor FILE)"
                                   : "no other level of detail was given (--pair FILE)";
}

}  // namespace lockline::harness
