#include "corpus/facial_builder.hpp"

#include <algorithm>

#include "corpus/cursor.hpp"

namespace lockline::corpus {
namespace {

constexpr std::uint32_t header_bytes = 0x14, type_bytes = 16, object_bytes = 12, record_bytes = 12,
                        run_bytes = 4;
constexpr std::int32_t largest_displacement = 60;

}  // namespace

std::vector<FacialRun> runs_of(const std::vector<std::uint16_t>& indices, bool terminator) {
  std::vector<FacialRun> runs;
  for (const std::uint16_t index : indices) {
    if (!runs.empty() && runs.back().first + runs.back().length == index) {
      ++runs.back().length;
    } else {
      runs.push_back({index, 1});
    }
  }
  if (terminator) runs.push_back({0, 0});
  return runs;
}

namespace {

FacialAttribute attribute_of(const FaceAttributeInput& input, std::uint16_t poses, bool terminator,
                             SplitMix64& random) {
  FacialAttribute attribute;
  attribute.entries = static_cast<std::uint32_t>(input.indices.size());
  attribute.target = input.target;
  attribute.kind = input.kind;
  attribute.components = input.components;
  attribute.component_bytes = input.component_bytes;
  attribute.runs = runs_of(input.indices, terminator);
  attribute.terminated = terminator;
  attribute.poses.push_back(input.rest);
  for (std::uint16_t p = 1; p < poses; ++p) {
    auto& pose = attribute.poses.emplace_back(input.rest.size());
    for (std::int16_t& value : pose) value = static_cast<std::int16_t>(random.around(largest_displacement));
  }
  attribute.pose_pointers.resize(poses);
  return attribute;
}

void add_type(const FacialAttribute& attribute, Facial& facial) {
  FacialTypeDescriptor type;
  type.target = attribute.target;
  type.kind = attribute.kind;
  type.format = static_cast<std::uint8_t>(attribute.components << 4 | attribute.component_bytes);
  const auto same = [&](const FacialTypeDescriptor& other) {
    return other.target == type.target && other.kind == type.kind && other.format == type.format;
  };
  if (std::none_of(facial.types.begin(), facial.types.end(), same)) facial.types.push_back(type);
}

void place_object(FacialObject& object, std::uint32_t base, Cursor& cursor) {
  object.record_size = record_bytes + 4U * object.pose_count;
  for (FacialAttribute& attribute : object.attributes) attribute.at = cursor.take(object.record_size);
  if (!object.attributes.empty()) object.attributes_pointer = object.attributes[0].at - base;
  for (FacialAttribute& attribute : object.attributes) {
    attribute.runs_at = cursor.take(attribute.runs.size() * run_bytes);
    attribute.runs_pointer = attribute.runs_at - base;
  }
  for (FacialAttribute& attribute : object.attributes) {
    for (std::size_t p = 0; p < attribute.poses.size(); ++p) {
      attribute.pose_pointers[p] =
          cursor.take(attribute.poses[p].size() * attribute.component_bytes, 1) - base;
    }
  }
}

}  // namespace

Facial build_facial(const std::vector<FaceObjectInput>& objects, bool terminators, std::uint32_t at,
                    SplitMix64& random) {
  Facial facial;
  for (const FaceObjectInput& input : objects) {
    FacialObject& object = facial.objects.emplace_back();
    object.pose_count = input.poses;
    object.attribute_count = static_cast<std::uint16_t>(input.attributes.size());
    facial.max_poses = std::max(facial.max_poses, input.poses);
    for (const FaceAttributeInput& attribute : input.attributes)
      object.attributes.push_back(attribute_of(attribute, input.poses, terminators, random));
    for (const FacialAttribute& attribute : object.attributes) add_type(attribute, facial);
  }
  pack(facial, at);
  return facial;
}

void pack(Facial& facial, std::uint32_t at) {
  facial.at = at;
  Cursor cursor(at + header_bytes);
  for (FacialTypeDescriptor& type : facial.types) type.at = cursor.take(type_bytes);
  for (FacialObject& object : facial.objects) object.at = cursor.take(object_bytes);
  for (FacialObject& object : facial.objects) place_object(object, at, cursor);
  facial.object_count = static_cast<std::uint16_t>(facial.objects.size());
  facial.type_count = static_cast<std::uint16_t>(facial.types.size());
  facial.types_pointer = header_bytes;
  facial.objects_pointer = header_bytes + type_bytes * facial.type_count;
  facial.size = align_up(cursor.at(), cache_line) - at;
}

}  // namespace lockline::corpus
