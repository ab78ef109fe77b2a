#include "corpus/relayout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/relayout_parts.hpp"

namespace lockline::corpus {
namespace {

/// Canonical, except that a vertex with a facial pose keeps the bones that write it directly: the pose moves
/// their part of it alone. Vertices without weights come last, written by nothing.
std::vector<Run> runs_for(const std::vector<SlotVertex>& vertices, const std::set<std::uint32_t>& posed) {
  std::vector<WeightedVertex> keys;
  for (const SlotVertex& v : vertices) {
    keys.push_back(v.vertex);
    if (!v.direct.empty() && posed.contains(v.slot)) keys.back().weights = v.direct;
  }
  std::vector<Run> runs = canonical_runs(keys);
  Run unwritten{RunKind::unwritten, 0, 0, {}, 0};
  for (std::uint32_t i = 0; i < vertices.size(); ++i)
    if (vertices[i].vertex.weights.empty()) unwritten.vertices.push_back(i);
  if (!unwritten.vertices.empty()) runs.push_back(std::move(unwritten));
  return runs;
}

/// The sections of a block as the header orders them.
struct Section {
  std::uint32_t BlockHeader::*pointer;
  std::vector<std::uint8_t> bytes;
};

constexpr std::uint32_t BlockHeader::*section_pointers[] = {
    &BlockHeader::gpl,  &BlockHeader::act,    &BlockHeader::tex, &BlockHeader::skn,
    &BlockHeader::ptr6, &BlockHeader::facial, &BlockHeader::ptr8};

Expected<std::vector<Section>> sections_of(Bytes bytes, const BlockHeader& header) {
  std::vector<Section> out;
  std::uint32_t previous = BlockHeader::bytes - 1;
  for (const auto pointer : section_pointers) {
    const std::uint32_t at = header.*pointer;
    if (at == 0) continue;
    if (at <= previous || at >= bytes.size())
      return cannot(0, "block header", "the sections do not ascend inside the block");
    if (!out.empty()) out.back().bytes.assign(bytes.begin() + previous, bytes.begin() + at);
    out.push_back({pointer, {}});
    previous = at;
  }
  if (!out.empty()) out.back().bytes.assign(bytes.begin() + previous, bytes.end());
  return out;
}

std::vector<std::uint8_t> slice(const Block& block, std::uint32_t begin, std::uint32_t size) {
  const auto bytes = serialize(block);
  return {bytes.begin() + begin, bytes.begin() + begin + size};
}

/// One section alone, as bytes.
std::vector<std::uint8_t> gpl_bytes(const Block& block) {
  Block alone;
  alone.size = block.gpl->at + block.gpl->size;
  alone.gpl = block.gpl;
  for (const Gap& gap : block.gaps)
    if (gap.at >= block.gpl->at && gap.at < alone.size) alone.gaps.push_back(gap);
  return slice(alone, block.gpl->at, block.gpl->size);
}

std::vector<std::uint8_t> skn_bytes(Skn skn) {
  Block alone;
  place(skn, BlockHeader::bytes);
  alone.size = BlockHeader::bytes + skn.size;
  alone.skn = std::move(skn);
  return slice(alone, BlockHeader::bytes, alone.skn->size);
}

std::vector<std::uint8_t> facial_bytes(Facial facial) {
  Block alone;
  alone.size = facial.at + facial.size;
  alone.facial = std::move(facial);
  return slice(alone, alone.facial->at, alone.facial->size);
}

/// The first section stays at `first`, with what is before it.
std::vector<std::uint8_t> assemble(const std::vector<Section>& sections, Bytes original,
                                   std::uint32_t first) {
  BlockHeader header;
  std::vector<std::uint8_t> out(original.begin(), original.begin() + first);
  for (const Section& section : sections) {
    if (out.size() != first) out.resize(align_up(static_cast<std::uint32_t>(out.size()), cache_line));
    header.*section.pointer = static_cast<std::uint32_t>(out.size());
    out.insert(out.end(), section.bytes.begin(), section.bytes.end());
  }
  const std::uint32_t words[] = {load_be<std::uint32_t>(original.data()),
                                 header.gpl,
                                 header.act,
                                 header.tex,
                                 header.skn,
                                 header.ptr6,
                                 header.facial,
                                 header.ptr8};
  for (std::size_t i = 0; i < std::size(words); ++i) store_be(out.data() + 4 * i, words[i]);
  out.resize(align_up(static_cast<std::uint32_t>(out.size()), cache_line));
  return out;
}

}  // namespace

Expected<Relayout> relay_out(Bytes bytes, const Block& block) {
  auto vertices = read_weights(block);
  if (!vertices) return tl::unexpected(vertices.error());
  auto sections = sections_of(bytes, block.header);
  if (!sections) return tl::unexpected(sections.error());
  std::vector<WeightedVertex> weighted;
  for (const SlotVertex& v : *vertices) weighted.push_back(v.vertex);
  auto layout = lay_out(weighted, runs_for(*vertices, posed_slots(block)));
  if (!layout) return tl::unexpected(layout.error());
  layout->skn.quantize_info = block.skinned_positions()->header.quantization.shift();

  SlotMap slots;
  for (std::size_t i = 0; i < vertices->size(); ++i) slots[(*vertices)[i].slot] = layout->slots[i];
  Block changed = block;
  if (auto done = relay_facial(changed, layout->skn, slots); !done) return tl::unexpected(done.error());
  const auto growth = relay_gpl(changed, *layout, slots);
  if (!growth) return tl::unexpected(growth.error());

  Relayout out;
  out.entries_before =
      static_cast<std::uint32_t>(block.skn->sk1.size() + block.skn->sk2.size() + block.skn->acc.size());
  out.entries_after =
      static_cast<std::uint32_t>(layout->skn.sk1.size() + layout->skn.sk2.size() + layout->skn.acc.size());
  out.gpl_growth = *growth;
  out.skn_growth = std::int64_t{layout->skn.size} - block.skn->size;
  out.slots = std::move(layout->slots);
  for (Section& section : *sections) {
    if (section.pointer == &BlockHeader::gpl) section.bytes = gpl_bytes(changed);
    if (section.pointer == &BlockHeader::skn) section.bytes = skn_bytes(std::move(layout->skn));
    if (section.pointer == &BlockHeader::facial && changed.facial)
      section.bytes = facial_bytes(std::move(*changed.facial));
  }
  out.before = std::move(*vertices);
  out.bytes = assemble(*sections, bytes, block.header.gpl);
  return out;
}

}  // namespace lockline::corpus
