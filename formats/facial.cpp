#include "formats/facial.hpp"

#include <algorithm>

#include "formats/sections.hpp"

namespace lockline {

namespace {

/// Block offsets where the section's run lists and pose arrays begin, and where the section ends; ascending.
std::vector<std::uint64_t> array_starts(const Facial& facial) {
  std::vector<std::uint64_t> starts{std::uint64_t{facial.at} + facial.size};
  for (const FacialObject& object : facial.objects) {
    for (const FacialAttribute& attribute : object.attributes) {
      starts.push_back(std::uint64_t{facial.at} + attribute.runs_pointer);
      for (const std::uint32_t pose : attribute.pose_pointers)
        starts.push_back(std::uint64_t{facial.at} + pose);
    }
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

/// Bytes of the run list at `at`: up to its terminator; without one, up to the next array once the entries
/// are covered, or to the block's last whole pair.
std::uint64_t run_list_bytes(Bytes rest, std::uint64_t to_next_array, std::uint32_t entries) {
  std::uint64_t covered = 0, length = 0;
  while (contains(rest.size(), length, fixed_size<FacialRun>())) {
    if (covered >= entries && length + fixed_size<FacialRun>() > to_next_array) break;
    const auto run = load_be<std::uint16_t>(rest.data() + length + 2);
    length += fixed_size<FacialRun>();
    if (run == 0) break;
    covered += run;
  }
  return length;
}

void read_runs(Input& in, const Facial& facial, const std::vector<std::uint64_t>& starts, const Name& name,
               FacialAttribute& attribute) {
  const std::uint64_t at = std::uint64_t{facial.at} + attribute.runs_pointer;
  attribute.runs_at = static_cast<std::uint32_t>(at);
  const Subject subject{name, "so the game would take other memory for vertex numbers"};
  const std::uint8_t* const p = in.range(at, fixed_size<FacialRun>(), subject);
  if (p == nullptr || in.exhausted()) return;
  const auto next = std::upper_bound(starts.begin(), starts.end(), at);
  const std::uint64_t to_next = next == starts.end() ? in.size() : *next - at;
  const std::uint64_t bytes = run_list_bytes({p, in.size() - at}, to_next, attribute.entries);
  if (!in.array(at, bytes / fixed_size<FacialRun>(), attribute.runs, subject)) return;
  attribute.terminated = !attribute.runs.empty() && attribute.runs.back().length == 0;
}

void read_poses(Input& in, const Facial& facial, std::size_t object, std::size_t index,
                FacialAttribute& attribute) {
  const std::uint32_t width = attribute.component_bytes;
  attribute.poses.resize(attribute.pose_pointers.size());
  if (width != 1 && width != 2) {
    in.problem(ErrorCode::bad_value, attribute.at, {names::attribute, object, index},
               fmt::format("has components of {} bytes; only 1 and 2 are known, so its poses cannot be read",
                           width));
    return;
  }
  const std::uint64_t count = std::uint64_t{attribute.entries} * attribute.components;
  for (std::size_t i = 0; i < attribute.poses.size(); ++i) {
    const Subject subject{{names::pose, object, index, i}, "so the face would move by other memory"};
    const std::uint64_t at = std::uint64_t{facial.at} + attribute.pose_pointers[i];
    if (width == 2) {
      in.array(at, count, attribute.poses[i], subject);
    } else if (std::vector<std::int8_t> narrow; in.array(at, count, narrow, subject)) {
      if (in.charge(count, at, subject.name)) attribute.poses[i].assign(narrow.begin(), narrow.end());
    }
  }
}

/// The records without what they point to; an attribute is object.record_size bytes after the one before.
void read_records(Input& in, const Facial& facial, std::size_t o, FacialObject& object) {
  const std::uint32_t record = fixed_size<FacialAttribute>() + 4U * object.pose_count;
  if (object.record_size != record && object.attribute_count != 0) {
    in.problem(
        ErrorCode::bad_value, object.at, {names::facial_object, o},
        fmt::format(
            "says its records have {} bytes, but with {} poses they have {}, so the game may find them "
            "elsewhere",
            object.record_size, object.pose_count, record));
  }
  const std::uint64_t decoded =
      sizeof(FacialAttribute) + object.pose_count * (4 + sizeof(std::vector<std::int16_t>));
  for (std::size_t i = 0; i < object.attribute_count; ++i) {
    const Name name{names::attribute, o, i};
    const std::uint64_t at =
        std::uint64_t{facial.at} + object.attributes_pointer + std::uint64_t{object.record_size} * i;
    const std::uint8_t* const p =
        in.range(at, record, {name, "so the rest of the object's attributes is unknown"});
    if (p == nullptr || !in.charge(decoded, at, name)) return;
    FacialAttribute& attribute = object.attributes.emplace_back();
    attribute.at = static_cast<std::uint32_t>(at);
    attribute.pose_pointers.resize(object.pose_count);
    FieldReader{p}(attribute);
  }
}

void read_arrays(Input& in, Facial& facial) {
  const auto starts = array_starts(facial);
  for (std::size_t o = 0; o < facial.objects.size(); ++o) {
    for (std::size_t i = 0; i < facial.objects[o].attributes.size(); ++i) {
      FacialAttribute& attribute = facial.objects[o].attributes[i];
      read_runs(in, facial, starts, {names::runs, o, i}, attribute);
      read_poses(in, facial, o, i, attribute);
    }
  }
}

}  // namespace

std::optional<Facial> read_facial(Input& in, SectionRange section) {
  Facial facial;
  facial.at = section.at;
  facial.size = section.size;
  if (!in.structure(facial.at, facial, {{names::facial_header}, "so the facial poses are unknown"}))
    return std::nullopt;
  const auto type_row = [](std::size_t i) {
    return Subject{{names::facial_type, i}, "so the rest of the type descriptors is unknown"};
  };
  in.table(std::uint64_t{facial.at} + facial.types_pointer, facial.type_count, facial.types, type_row);
  const auto object_row = [](std::size_t i) {
    return Subject{{names::facial_object, i}, "so the rest of the facial objects is unknown"};
  };
  in.table(std::uint64_t{facial.at} + facial.objects_pointer, facial.object_count, facial.objects,
           object_row);
  for (std::size_t o = 0; o < facial.objects.size(); ++o) read_records(in, facial, o, facial.objects[o]);
  read_arrays(in, facial);
  return facial;
}

}  // namespace lockline
