#include <fmt/format.h>

#include <set>

#include "harness/rule.hpp"

/// Rules that compare the model with a second one: its donor, or its other level of detail.
namespace lockline::harness::rule_checks {
namespace {

/// The bones an entry names.
struct SkinUse {
  std::string name;  ///< "SK1[3]"
  std::uint32_t begin = 0, end = 0;
  std::vector<std::uint16_t> bones;
};

std::vector<SkinUse> skin_uses(const Block& block) {
  std::vector<SkinUse> uses;
  if (!block.skn) return uses;
  const auto add = [&](const char* array, std::size_t i, std::uint32_t at, std::uint32_t bytes,
                       std::vector<std::uint16_t> bones) {
    uses.push_back({fmt::format("{}[{}]", array, i), at, at + bytes, std::move(bones)});
  };
  const Skn& skn = *block.skn;
  for (std::size_t i = 0; i < skn.sk1.size(); ++i)
    add("SK1", i, skn.sk1[i].at, Sk1Entry::bytes, {skn.sk1[i].bone});
  for (std::size_t i = 0; i < skn.sk2.size(); ++i)
    add("SK2", i, skn.sk2[i].at, Sk2Entry::bytes, {skn.sk2[i].bone1, skn.sk2[i].bone2});
  for (std::size_t i = 0; i < skn.acc.size(); ++i)
    add("SKAcc", i, skn.acc[i].at, SkAccEntry::bytes, {skn.acc[i].bone});
  return uses;
}

std::uint32_t bones_of(const Block& block) {
  return block.act ? block.act->bone_count : 0;
}

/// Vertices of all submeshes.
std::uint64_t vertices(const Block& block) {
  std::uint64_t sum = 0;
  if (!block.gpl) return sum;
  for (const Submesh& submesh : block.gpl->submeshes) {
    if (submesh.layout && submesh.layout->position) sum += submesh.layout->position->header.count;
  }
  return sum;
}

}  // namespace

void skn_bone_donor(const Subject& subject, const Block& donor, Findings& out) {
  std::set<std::uint16_t> skinned;
  for (const SkinUse& use : skin_uses(donor)) skinned.insert(use.bones.begin(), use.bones.end());
  const std::uint32_t donor_bones = bones_of(donor);
  for (const SkinUse& use : skin_uses(subject.block)) {
    for (const std::uint16_t bone : use.bones) {
      if (bone >= donor_bones || skinned.contains(bone)) continue;
      out.add("SKN / " + use.name, use.begin, use.end,
              fmt::format("{} moves vertices with bone {}, which the donor has but skins nothing with",
                          use.name, bone))
          .fix = fmt::format(
          "weight these vertices to a bone the donor skins (the nearest parent of bone {}), or "
          "append a bone to the skeleton (number {} or above)",
          bone, donor_bones);
      break;
    }
  }
}

void lod_pair(const Subject& subject, const Block& pair, Findings& out) {
  const bool is_low = vertices(subject.block) <= vertices(pair);
  const Block& low = is_low ? subject.block : pair;
  const std::uint32_t bones = bones_of(is_low ? pair : subject.block);
  const std::string where = is_low ? "" : "partner / ";
  const auto report = [&](const std::string& name, std::uint32_t begin, std::uint32_t end, std::uint32_t bone,
                          const char* does) {
    out.add(where + name, begin, end,
            fmt::format("the low model's {} {} bone {}, the high model has {} bones (0 to {})", name, does,
                        bone, bones, bones - 1))
        .fix =
        fmt::format("use a bone below {} in the low model, or append the bone to the high model", bones);
  };
  for (const SkinUse& use : skin_uses(low)) {
    for (const std::uint16_t bone : use.bones) {
      if (bone < bones) continue;
      report("SKN / " + use.name, use.begin, use.end, bone, "skins with");
      break;
    }
  }
  if (!low.act) return;
  for (std::size_t i = bones; i < low.act->bones.size(); ++i) {
    const Bone& bone = low.act->bones[i];
    if (bone.geo_id != Bone::no_submesh)
      report(fmt::format("ACT / bone {}", i), bone.at, bone.at + 0x1C, static_cast<std::uint32_t>(i),
             "draws a submesh with");
  }
}

}  // namespace lockline::harness::rule_checks
