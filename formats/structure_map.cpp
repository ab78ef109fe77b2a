#include "formats/structure_map.hpp"

#include <algorithm>

#include "formats/coverage.hpp"
#include "formats/visit.hpp"

namespace lockline {

std::string_view name(StructureKind kind) {
  switch (kind) {
    case StructureKind::header:
      return "header";
    case StructureKind::layout:
      return "layout";
    case StructureKind::array_header:
      return "array-header";
    case StructureKind::display_header:
      return "display-header";
    case StructureKind::display_states:
      return "display-states";
    case StructureKind::primitive_list:
      return "primitive-list";
    case StructureKind::array_data:
      return "array-data";
    case StructureKind::text:
      return "text";
    case StructureKind::bone:
      return "bone";
    case StructureKind::control:
      return "control";
    case StructureKind::user_data:
      return "user-data";
    case StructureKind::skn_entry:
      return "skn-entry";
    case StructureKind::source:
      return "source";
    case StructureKind::weights:
      return "weights";
    case StructureKind::indices:
      return "indices";
    case StructureKind::flush:
      return "flush";
    case StructureKind::facial_record:
      return "facial-record";
    case StructureKind::run_list:
      return "run-list";
    case StructureKind::pose:
      return "pose";
    case StructureKind::texture:
      return "texture";
    case StructureKind::opaque:
      return "opaque";
    case StructureKind::sequence:
      return "sequence";
    case StructureKind::track:
      return "track";
    case StructureKind::keyframe:
      return "keyframe";
    case StructureKind::key_setting:
      return "key-setting";
    case StructureKind::key_controls:
      return "key-controls";
    case StructureKind::gap:
      return "gap";
  }
  return "unknown";
}

StructureMap::StructureMap(const Block& block) {
  fill(block);
}

StructureMap::StructureMap(const Anm& anm) {
  fill(anm);
}

template <class File>
void StructureMap::fill(const File& file) {
  visit(file, [&](std::uint32_t at, StructureKind kind, const Name& name, const auto&... parts) {
    const std::uint64_t end = std::min<std::uint64_t>(at + encoded_size(parts...), file.size);
    if (at < end) ranges_.push_back({at, static_cast<std::uint32_t>(end), kind, name.text()});
  });
  for (const Extent& gap : uncovered(file))
    ranges_.push_back({gap.begin, gap.end, StructureKind::gap, names::gap});
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const StructureRange& a, const StructureRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  max_end_.reserve(ranges_.size());
  std::uint32_t max_end = 0;
  for (const StructureRange& range : ranges_) max_end_.push_back(max_end = std::max(max_end, range.end));
}

std::vector<const StructureRange*> StructureMap::overlapping(std::uint32_t begin, std::uint32_t end) const {
  std::vector<const StructureRange*> found;
  if (begin >= end) return found;
  const auto first = std::upper_bound(max_end_.begin(), max_end_.end(), begin) - max_end_.begin();
  for (auto i = static_cast<std::size_t>(first); i < ranges_.size() && ranges_[i].begin < end; ++i) {
    if (ranges_[i].end > begin) found.push_back(&ranges_[i]);
  }
  return found;
}

std::string StructureMap::describe(std::uint32_t begin, std::uint32_t end) const {
  const auto found = overlapping(begin, end);
  if (found.empty()) return begin >= end ? "nothing" : "outside the block";
  if (found.size() == 1) return found[0]->name;
  if (found.size() == 2) return fmt::format("{} and {}", found[0]->name, found[1]->name);
  return fmt::format("{}, {} and {} more", found[0]->name, found[1]->name, found.size() - 2);
}

}  // namespace lockline
