#include "formats/act.hpp"

#include <algorithm>

#include "formats/sections.hpp"

namespace lockline {

namespace {

/// A control and the first bone that points to it.
struct ControlUse {
  std::uint64_t at;
  std::size_t bone;
};

std::vector<ControlUse> control_uses(const Act& act) {
  std::vector<ControlUse> uses;
  for (std::size_t i = 0; i < act.bones.size(); ++i) {
    const std::uint32_t pointer = act.bones[i].control_pointer;
    if (pointer != 0) uses.push_back({std::uint64_t{act.at} + pointer, i});
  }
  std::stable_sort(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  const auto same = [](const auto& a, const auto& b) { return a.at == b.at; };
  uses.erase(std::unique(uses.begin(), uses.end(), same), uses.end());
  return uses;
}

void read_controls(Input& in, Act& act) {
  const auto uses = control_uses(act);
  if (uses.empty() ||
      !in.charge(uses.size() * sizeof(Control), uses[0].at, {names::bone_control, uses[0].bone}))
    return;
  act.controls.reserve(uses.size());
  for (const ControlUse& use : uses) {
    Control control;
    if (!in.structure(use.at, control, {{names::bone_control, use.bone}, "so the bone's place is unknown"}))
      continue;
    control.at = static_cast<std::uint32_t>(use.at);
    act.controls.push_back(control);
  }
}

void read_content(Input& in, const Act& act, std::size_t i, UserData& user) {
  const std::uint64_t at = std::uint64_t{act.at} + user.data_pointer;
  const Subject subject{{names::user_data_content, i}, "so this user data is unknown"};
  user.data_at = static_cast<std::uint32_t>(at);
  const auto read = [&]<class T>(std::vector<T> values, std::uint64_t count) {
    in.array(at, count, values, subject);
    user.data = std::move(values);
  };
  if (user.kind == UserData::mirror_kind) {
    read(std::vector<MirrorRole>{}, user.count);
  } else if (user.kind == UserData::tracks_kind) {
    read(std::vector<std::uint16_t>{}, user.count);
  } else {
    read(std::vector<std::uint8_t>{}, user.size - fixed_size<UserData>());
  }
}

/// The descriptors lie one behind the other, each `size` bytes after the one before, in the header's
/// user_size bytes. Less than a descriptor, or one of zeros, is padding.
void read_user_data(Input& in, Act& act) {
  const std::uint32_t header = fixed_size<UserData>();
  if (act.user_pointer == 0) return;
  std::uint64_t at = std::uint64_t{act.at} + act.user_pointer;
  const std::uint64_t end = at + act.user_size;
  while (end >= at && end - at >= header) {
    const std::size_t i = act.user_data.size();
    const Name name{names::user_data, i};
    UserData user;
    if (!in.charge(sizeof(UserData), at, name)) return;
    if (!in.structure(at, user, {name, "so the rest of the user data is unknown"})) return;
    if (user.size == 0 && user.kind == 0 && user.count == 0 && user.data_pointer == 0) return;
    user.at = static_cast<std::uint32_t>(at);
    const std::uint32_t size = user.size;
    if (size >= header) read_content(in, act, i, user);
    act.user_data.push_back(std::move(user));
    if (size < header) {
      in.problem(
          size == 0 ? ErrorCode::cycle : ErrorCode::bad_value, at, name,
          fmt::format(
              "has size {}, less than its own header of {} bytes{}; the user data after it is left unread",
              size, header, size == 0 ? ", so the chain leads back to itself" : ""));
      return;
    }
    at += size;
  }
}

}  // namespace

const Control* Act::control_of(const Bone& bone) const {
  if (bone.control_pointer == 0) return nullptr;
  const std::uint64_t wanted = std::uint64_t{at} + bone.control_pointer;
  const auto found =
      std::lower_bound(controls.begin(), controls.end(), wanted,
                       [](const Control& control, std::uint64_t offset) { return control.at < offset; });
  return found != controls.end() && found->at == wanted ? &*found : nullptr;
}

std::optional<std::size_t> Act::bone_at(std::uint32_t pointer) const {
  const std::uint64_t wanted = std::uint64_t{at} + pointer;
  const auto found =
      std::lower_bound(bones.begin(), bones.end(), wanted,
                       [](const Bone& bone, std::uint64_t offset) { return bone.at < offset; });
  if (pointer == 0 || found == bones.end() || found->at != wanted) return std::nullopt;
  return static_cast<std::size_t>(found - bones.begin());
}

std::optional<Act> read_act(Input& in, SectionRange section) {
  Act act;
  act.at = section.at;
  act.size = section.size;
  if (!in.structure(act.at, act, {{names::act_header}, "so the bones are unknown"})) return std::nullopt;
  if (act.magic != Act::magic_value) {
    in.problem(ErrorCode::bad_magic, act.at, {names::act_header},
               fmt::format("starts with {:#010x} instead of {:#010x}, so the bones are unknown", act.magic,
                           Act::magic_value));
    return std::nullopt;
  }
  if (act.geo_name_pointer != 0) {
    act.geo_name = in.text(std::uint64_t{act.at} + act.geo_name_pointer,
                           {{names::geo_name}, "so the name of the mesh file is unknown"});
  }
  const auto row = [](std::size_t i) {
    return Subject{{names::bone, i}, "so the rest of the bones is unknown"};
  };
  in.table(std::uint64_t{act.at} + fixed_size<Act>(), act.bone_count, act.bones, row);
  read_controls(in, act);
  read_user_data(in, act);
  return act;
}

}  // namespace lockline
