#include "harness/ram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "emu/bones.hpp"
#include "emu/relocate.hpp"
#include "formats/matrix.hpp"
#include "formats/structure_map.hpp"
#include "harness/poses.hpp"

namespace lockline::harness {
namespace {

/// [begin, end) in block offsets.
struct Range {
  std::uint32_t begin = 0, end = 0;
};

/// What of a block's headers is no pointer and is not changed by the game.
std::vector<Range> fixed_ranges(const Block& block) {
  std::vector<Range> out{{0, 4}};
  const auto add = [&](std::uint32_t at, std::uint32_t begin, std::uint32_t end) {
    out.push_back({at + begin, at + end});
  };
  if (block.gpl) {
    add(block.gpl->at, 0x00, 0x08);
    add(block.gpl->at, 0x0C, 0x10);
  }
  if (block.act) add(block.act->at, 0x00, 0x0C);
  if (block.skn) {
    add(block.skn->at, 0x00, 0x07);
    add(block.skn->at, 0x18, 0x1C);
    add(block.skn->at, 0x20, 0x24);
  }
  return out;
}

std::uint32_t cached(std::uint32_t address) {
  return address >= 0xC0000000 ? address - emu::uncached : address;
}

bool is_zero(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; });
}

/// The reverse of emu::reorder().
Matrix rows_of(const Matrix& columns) {
  Matrix rows{};
  for (unsigned r = 0; r < 3; ++r) {
    for (unsigned c = 0; c < 4; ++c) rows[r * 4 + c] = columns[c * 3 + r];
  }
  return rows;
}

/// What a frame's facial step writes inside the block.
std::vector<Range> facial_targets(emu::Machine& machine, const Block& block,
                                  std::span<const Matrix> palette) {
  std::vector<Range> out;
  if (!block.facial) return out;
  const emu::FacialPoses faces = emu::facial_pose(*block.facial, 0);
  machine.frame(palette, &faces);
  for (const emu::Write& w : machine.trace().writes()) {
    const std::uint32_t at = w.address - machine.model().block;
    if (w.author.kind == emu::WriteKind::pose && contains(machine.model().block_bytes, at, w.size))
      out.push_back({at, at + w.size});
  }
  return out;
}

void copy(const std::vector<Range>& ranges, Bytes from, std::uint8_t* to) {
  for (const Range& r : ranges) std::copy(from.begin() + r.begin, from.begin() + r.end, to + r.begin);
}

/// Pointers of `memory` that still hold what relocation to `from` made of the file's become those of `to`.
void relocate_again(MutableBytes memory, Bytes file, const Block& block, std::uint32_t from,
                    std::uint32_t to) {
  std::vector<std::uint8_t> at_from(file.begin(), file.end()), at_to(at_from);
  emu::relocate(at_from, block, from);
  emu::relocate(at_to, block, to);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (memory[i] == at_from[i]) memory[i] = static_cast<std::uint8_t>(memory[i] + at_to[i] - at_from[i]);
  }
}

/// Gathers differing bytes by structure.
class Differences {
 public:
  Differences(const Block& block, Bytes emulated, Bytes image, const emu::Machine& machine)
      : map_(block), emulated_(emulated), image_(image), machine_(machine) {}

  void add(std::uint32_t at) {
    if (range_ == nullptr || at < range_->begin || at >= range_->end)
      range_ = map_.overlapping(at, at + 1).front();
    const auto [place, is_new] = by_structure_.try_emplace(range_, differences_.size());
    if (is_new) differences_.push_back(start(at));
    ++differences_[place->second].bytes;
  }

  std::vector<RamDifference> take() { return std::move(differences_); }

 private:
  RamDifference start(std::uint32_t at) const {
    RamDifference d{
        .structure = range_->name, .bytes = 0, .first = at, .emulated = {}, .in_dump = {}, .author = {}};
    const std::size_t shown = std::min<std::size_t>(16, range_->end - at);
    const auto from = [&](Bytes bytes) {
      const Bytes part = bytes.subspan(at, std::min(shown, bytes.size() - at));
      return std::vector<std::uint8_t>(part.begin(), part.end());
    };
    d.emulated = from(emulated_);
    d.in_dump = from(image_);
    const std::uint32_t address = machine_.model().block + at;
    if (const emu::Write* write = machine_.trace().last_writer(address, address + 1))
      d.author = write->author;
    return d;
  }

  StructureMap map_;
  Bytes emulated_, image_;
  const emu::Machine& machine_;
  const StructureRange* range_ = nullptr;
  std::map<const StructureRange*, std::size_t> by_structure_;
  std::vector<RamDifference> differences_;
};

/// The resolved target pointers in the facial type descriptors. Source: seeds/facial-pose-section.
std::vector<Range> loader_fields(const Block& block) {
  std::vector<Range> out;
  if (!block.facial) return out;
  for (const FacialTypeDescriptor& type : block.facial->types) out.push_back({type.at + 8, type.at + 12});
  return out;
}

}  // namespace

RamDump ram_dump(Bytes bytes) {
  constexpr std::size_t largest_mem1 = 32U << 20;
  return {bytes, bytes.size() > largest_mem1 ? emu::mem2_address : emu::mem1_address};
}

Expected<Bytes> block_in(const RamDump& dump, std::uint32_t address, std::size_t size) {
  const std::uint32_t offset = cached(address) - dump.base;
  if (!contains(dump.bytes.size(), offset, size)) {
    return tl::unexpected(
        Error{ErrorCode::out_of_bounds, 0, "dump",
              fmt::format("the block's {} bytes at {:#x} do not lie in a dump of {} bytes from {:#x}", size,
                          address, dump.bytes.size(), dump.base)});
  }
  return dump.bytes.subspan(offset, size);
}

std::vector<std::uint32_t> find_block(const RamDump& dump, Bytes file, const Block& block) {
  std::vector<Range> ranges = fixed_ranges(block);
  std::erase_if(ranges, [&](const Range& r) { return !contains(file.size(), r.begin, r.end - r.begin); });
  std::vector<std::uint32_t> found;
  for (std::size_t at = 0; contains(dump.bytes.size(), at, file.size()); at += cache_line) {
    const bool here = std::all_of(ranges.begin(), ranges.end(), [&](const Range& r) {
      return std::equal(file.begin() + r.begin, file.begin() + r.end,
                        dump.bytes.begin() + static_cast<std::ptrdiff_t>(at) + r.begin);
    });
    if (here) found.push_back(dump.base + static_cast<std::uint32_t>(at));
  }
  return found;
}

std::vector<MatrixField> matrix_fields(const Block& block) {
  std::vector<MatrixField> out;
  if (!block.skn) return out;
  const auto add = [&](std::uint32_t bone, std::uint32_t at, const char* step, std::size_t entry) {
    if (contains(block.size, at, matrix_bytes)) out.push_back({bone, at, fmt::format("{}[{}]", step, entry)});
  };
  for (std::size_t i = 0; i < block.skn->sk1.size(); ++i)
    add(block.skn->sk1[i].bone, block.skn->sk1[i].at, "SK1", i);
  for (std::size_t i = 0; i < block.skn->sk2.size(); ++i) {
    const Sk2Entry& e = block.skn->sk2[i];
    add(e.bone1, e.at, "SK2", i);
    add(e.bone2, e.at + static_cast<std::uint32_t>(matrix_bytes), "SK2", i);
  }
  for (std::size_t i = 0; i < block.skn->acc.size(); ++i)
    add(block.skn->acc[i].bone, block.skn->acc[i].at, "SKAcc", i);
  return out;
}

Expected<RecoveredPalette> recover_palette(const Block& block, Bytes image) {
  std::map<std::uint32_t, MatrixField> first;
  RecoveredPalette out;
  std::uint32_t bones = bone_count(block);
  for (const MatrixField& field : matrix_fields(block)) {
    const auto bytes = [&](const MatrixField& f) { return image.subspan(f.at, matrix_bytes); };
    bones = std::max(bones, field.bone + 1);
    if (is_zero(bytes(field))) continue;
    const auto [place, is_new] = first.try_emplace(field.bone, field);
    const Bytes a = bytes(place->second), b = bytes(field);
    if (!is_new && !std::equal(a.begin(), a.end(), b.begin()))
      out.conflicts.push_back({field.bone, place->second.entry, field.entry});
  }
  if (first.empty()) {
    return tl::unexpected(Error{ErrorCode::missing, 0, "SKN",
                                "no entry's matrix field is filled: the game has not skinned this block"});
  }
  out.palette = {.frames = 1, .bones = bones, .matrices = std::vector<Matrix>(bones, emu::identity_matrix)};
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    const auto field = first.find(bone);
    if (field == first.end()) {
      out.unknown.push_back(bone);
    } else {
      out.palette.matrices[bone] = rows_of(load_matrix(image.data() + field->second.at));
    }
  }
  return out;
}

Expected<RamComparison> compare_ram(Bytes file, const Block& block, Bytes image, std::uint32_t address,
                                    emu::MachineOptions options) {
  auto recovered = recover_palette(block, image);
  if (!recovered) return tl::unexpected(recovered.error());
  const std::uint32_t elsewhere = options.block_address;
  const bool reached_by_dma = cached(address) < emu::mem2_address;
  options.block_address = reached_by_dma ? cached(address) : elsewhere;
  options.pointers = emu::Pointers::addresses;
  auto machine = emu::Machine::load(file, block, options);
  if (!machine) return tl::unexpected(machine.error());

  RamComparison out;
  const auto palette = recovered->palette.frame(0);
  const std::vector<Range> faces = facial_targets(*machine, block, palette);
  for (const Range& r : faces) out.from_dump += r.end - r.begin;
  if (auto loaded = machine->reload(file, block); !loaded) return tl::unexpected(loaded.error());
  copy(faces, image, machine->memory().cpu(options.block_address, block.size));
  out.result = machine->frame(palette);

  std::vector<std::uint8_t> emulated(machine->block().begin(), machine->block().end());
  relocate_again(emulated, file, block, options.block_address, cached(address));
  copy(loader_fields(block), image, emulated.data());
  Differences differences(block, emulated, image, *machine);
  for (std::uint32_t i = 0; i < emulated.size(); ++i) {
    if (emulated[i] == image[i]) continue;
    ++out.bytes;
    differences.add(i);
  }
  out.differences = differences.take();
  out.recovered = std::move(*recovered);
  return out;
}

}  // namespace lockline::harness
