#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/skn.hpp"

/// From weighted vertices to an SKN section. Source: seeds/skinning-data-section, "Destination layout rules",
/// "Section Memory Layout" and "Canonical layout (body rebuild)".
namespace lockline::corpus {

/// A bone's part of a vertex in 256ths, 1..256.
struct BoneWeight {
  std::uint16_t bone = 0;
  std::uint16_t weight = 0;

  bool operator==(const BoneWeight&) const = default;
};

/// A bone's part of a vertex in any unit: only the ratios count. Not negative.
struct BoneShare {
  std::uint16_t bone = 0;
  double share = 0;
};

/// Shares to 256ths that sum to exactly 256, by the largest-remainder rule; ties go to the lower bone id.
/// Shares of the same bone are added first; bones left with nothing are removed. Ascending by bone id. Empty
/// when no share is above 0.
std::vector<BoneWeight> quantize_weights(std::span<const BoneShare> shares);

/// A vertex in its bind pose and what moves it. A bone listed twice is accumulated twice (the 255 + 1
/// pattern).
struct WeightedVertex {
  SkinVertex bind{};
  std::vector<BoneWeight> weights;
};

enum class RunKind {
  sk1,          ///< overwritten by one bone
  sk2,          ///< overwritten by two bones
  accumulated,  ///< written by SKAcc entries only
  unwritten,    ///< written by nothing
};

/// Vertices that take consecutive slots. A run too large for one entry becomes several.
struct Run {
  RunKind kind = RunKind::sk1;
  std::uint16_t bone1 = 0, bone2 = 0;   ///< of the direct write: bone1 for SK1, both for SK2
  std::vector<std::uint32_t> vertices;  ///< indices of WeightedVertex
  std::uint32_t hole = 0;               ///< whole cache lines left unused after it
};

/// The canonical entries: one bone makes an SK1 run, otherwise the two heaviest bones (ties: the lower id)
/// make an SK2 run, its pair sorted by id. SK1 runs by bone, then SK2 runs by pair; inside a run the vertices
/// keep their input order. Vertices without a weight are left out.
std::vector<Run> canonical_runs(std::span<const WeightedVertex> vertices);

/// What the layout keeps to. The defaults are the game's rules; other values make the layouts that break
/// them.
struct LayoutOptions {
  std::uint32_t sk1_bytes = 8180;    ///< largest vertexOffset + count x 12 of an SK1 entry (vanilla maximum)
  std::uint32_t sk2_bytes = 4088;    ///< the same of an SK2 entry
  std::uint32_t acc_vertices = 341;  ///< largest count of an SKAcc entry (4096 / 12)
  std::uint32_t minimum = 3;         ///< smaller SK1 / SK2 entries repeat their first vertex
  bool own_lines = true;  ///< each run starts on the next free cache line; false: on the next free slot
  bool sort_acc = true;   ///< SKAcc entries by bone; false: in order of first use, as vanilla data has them
  std::uint32_t array_gap = 0;   ///< unused bytes between the entry arrays
  std::uint32_t tail_gap = 0;    ///< unused bytes after the sources (vanilla: 0, or 32 in 56 models)
  std::uint32_t source_gap = 0;  ///< unused bytes between VAR_DATA_OFF and the sources
};

struct SkinLayout {
  Skn skn;                            ///< every `at` counted from the section's first byte; place() moves it
  std::vector<SkinVertex> positions;  ///< the bind pose by slot; unused slots are zero
  std::vector<std::uint32_t> slots;   ///< slot per input vertex, no_slot when no run has it
  std::uint32_t direct_end = 0;  ///< end of the last SK1/SK2 write-back, position-data-relative, whole lines
  std::uint32_t write_end = 0;   ///< end of the last write of any kind, memClr included

  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;
};

/// Lays runs out in their order. Every SK2 weight and every weight that is not the run's own goes to SKAcc
/// entries; slots written only by those get the memClr range. Padding vertices take slots of their own.
/// Errors: bad_value for a vertex index out of range, an SK2 / SKAcc weight over 255; too_large past 65,535
/// slots or entries of a kind.
Expected<SkinLayout> lay_out(std::span<const WeightedVertex> vertices, std::span<const Run> runs,
                             const LayoutOptions& options = {});

/// Moves a section to block offset `at`: every pointer stays, every `at` follows.
void place(Skn& skn, std::uint32_t at);

}  // namespace lockline::corpus
