#include "corpus/act_builder.hpp"

#include <cmath>

#include "corpus/cursor.hpp"

namespace lockline::corpus {
namespace {

constexpr std::uint32_t header_bytes = 0x20, bone_bytes = 0x1C, control_bytes = 0x34, user_header_bytes = 12;
constexpr std::uint16_t mirror_kind = 2, track_kind = 3, no_track = 0xFFFF;

std::uint16_t parent_of(std::uint16_t bone, std::uint16_t limb) {
  return (bone - 1) % limb == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(bone - 1);
}

/// Links parents, first children and siblings; siblings ascend by id.
void link(std::vector<Bone>& bones, std::uint16_t limb, std::uint32_t base) {
  std::vector<std::uint16_t> last_child(bones.size(), 0);
  const auto count = static_cast<std::uint16_t>(bones.size());
  for (std::uint16_t id = 1; id < count; ++id) {
    Bone& bone = bones[id];
    const std::uint16_t parent = parent_of(id, limb);
    bone.parent = bones[parent].at - base;
    if (const std::uint16_t previous = last_child[parent]; previous != 0) {
      bone.previous = bones[previous].at - base;
      bones[previous].next = bone.at - base;
    } else {
      bones[parent].child = bone.at - base;
    }
    last_child[parent] = id;
  }
}

void set_quaternion(Control& control, SplitMix64& random) {
  float square = 0;
  for (int i = 3; i < 7; ++i) {
    control.values[i] = random.unit() * 2 - 1;
    square += control.values[i] * control.values[i];
  }
  for (int i = 3; i < 7; ++i) control.values[i] /= std::sqrt(square);
}

/// Bones take turns: quaternion and translation, translation, Euler and translation, identity (no control).
Control rest_pose(std::uint16_t bone, SplitMix64& random) {
  Control control;
  control.values = {1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0};
  const int kind = bone % 4;
  if (kind == 0) {
    control.mask = Control::quaternion_bit | Control::translation_bit;
    set_quaternion(control, random);
  } else if (kind == 2) {
    control.mask = Control::euler_bit | Control::translation_bit;
    for (int i = 3; i < 6; ++i) control.values[i] = static_cast<float>(random.around(90));
  } else {
    control.mask = Control::translation_bit;
  }
  for (int i = 7; i < 10; ++i) control.values[i] = (random.unit() * 2 - 1) * 0.25F;
  return control;
}

std::vector<MirrorRole> mirror_table(std::uint16_t bones) {
  std::vector<MirrorRole> roles;
  for (std::uint16_t i = 0; i < bones; ++i) roles.push_back({static_cast<std::uint8_t>(i), 0});
  return roles;
}

void add_user_data(Act& act, std::uint16_t kind, std::uint32_t data_bytes, Cursor& cursor) {
  UserData& user = act.user_data.emplace_back();
  user.kind = kind;
  user.count = act.bone_count;
  user.size = user_header_bytes + align_up(data_bytes, 4);
  user.at = cursor.take(user.size);
  user.data_at = user.at + user_header_bytes;
  user.data_pointer = user.data_at - act.at;
  if (kind == track_kind) {
    user.data = track_ids(act.bone_count);
  } else {
    user.data = mirror_table(act.bone_count);
  }
  act.user_size += user.size;
}

void add_bones(const Recipe& recipe, Act& act, Cursor& cursor) {
  for (std::uint16_t id = 0; id < act.bone_count; ++id) {
    Bone& bone = act.bones.emplace_back();
    bone.at = cursor.take(bone_bytes);
    bone.id = id;
  }
  link(act.bones, recipe.skeleton.limb, act.at);
  const std::size_t first = recipe.body ? 1 : 0;
  for (std::size_t i = 0; i < recipe.submeshes.size(); ++i) {
    if (const auto owner = recipe.submeshes[i].bone; owner && *owner < act.bones.size())
      act.bones[*owner].geo_id = static_cast<std::uint16_t>(first + i);
  }
}

}  // namespace

std::vector<std::uint16_t> track_ids(std::uint16_t bones) {
  std::vector<std::uint16_t> tracks;
  for (std::uint16_t i = 0; i < bones; ++i) tracks.push_back(i % 14 == 6 ? no_track : i);
  return tracks;
}

Act build_act(const Recipe& recipe, std::uint32_t at, SplitMix64& random) {
  Act act;
  act.at = at;
  act.actor_id = 1;
  act.bone_count = recipe.skeleton.bones;
  act.tree = recipe.skeleton.bones;
  act.root_pointer = header_bytes;
  Cursor cursor(at + header_bytes);
  add_bones(recipe, act, cursor);
  for (Bone& bone : act.bones) {
    if (bone.id % 4 == 3) continue;
    Control control = rest_pose(bone.id, random);
    control.at = cursor.take(control_bytes);
    bone.control_pointer = control.at - at;
    act.controls.push_back(control);
  }
  const std::string geo_name = recipe.name + ".gpl";
  act.geo_name = CString{cursor.take(geo_name.size() + 1), geo_name};
  act.geo_name_pointer = act.geo_name->at - at;
  act.user_pointer = align_up(cursor.at(), 4) - at;
  add_user_data(act, track_kind, act.bone_count * 2U, cursor);
  add_user_data(act, mirror_kind, act.bone_count * 2U, cursor);
  act.size = align_up(cursor.at(), cache_line) - at;
  return act;
}

}  // namespace lockline::corpus
