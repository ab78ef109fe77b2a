#include "emu/facial.hpp"

#include <algorithm>

#include "emu/steps.hpp"

namespace lockline::emu {
namespace {

/// Address and stride of the array an attribute writes. Source: runtime.md "Facial poses".
struct TargetArray {
  std::uint32_t base = 0, stride = 0;
};

std::optional<TargetArray> skin_source(const Block& block, std::uint32_t block_address) {
  if (!block.skn || block.skn->sk1.empty()) return std::nullopt;
  return TargetArray{block_address + block.skn->at + block.skn->sk1.front().source, vertex_stride};
}

std::optional<TargetArray> rigid_array(const Submesh& submesh, std::uint8_t kind,
                                       std::uint32_t block_address) {
  if (!submesh.layout) return std::nullopt;
  const Layout& layout = *submesh.layout;
  const auto of = [&](const auto& array) -> std::optional<TargetArray> {
    if (!array) return std::nullopt;
    return TargetArray{block_address + array->data_at,
                       seed_component_size(array->header.quantization.raw) * array->header.components};
  };
  if (kind == 1) return of(layout.position);
  if (kind == 2) return of(layout.lighting);
  const std::size_t channel = kind - 4U;
  if (kind >= 4 && kind <= 7 && channel < layout.uvs.size()) return of(std::optional(layout.uvs[channel]));
  return std::nullopt;
}

std::optional<TargetArray> resolve(const Block& block, const FacialAttribute& a,
                                   std::uint32_t block_address) {
  if (a.kind == 0) {
    if (!block.skn || a.target >= block.skn->acc.size()) return std::nullopt;
    return TargetArray{block_address + block.skn->at + block.skn->acc[a.target].source, vertex_stride};
  }
  if (!block.gpl || a.target >= block.gpl->submeshes.size()) return std::nullopt;
  const Submesh& submesh = block.gpl->submeshes[a.target];
  const bool skinned =
      submesh.layout && submesh.layout->position && submesh.layout->position->header.components == 6;
  if (a.kind == 1 && skinned) return skin_source(block, block_address);
  return rigid_array(submesh, a.kind, block_address);
}

/// One attribute of one object, followed through memory.
class Applier {
 public:
  Applier(Bus& bus, const FacialTarget& target, const FacialObjectPose& pose)
      : bus_(bus), target_(target), pose_(pose) {}

  void run() {
    std::uint32_t record = 0;
    for (std::uint32_t run = target_.runs; !bus_.stopped(); run += 4) {
      const auto first = bus_.read<std::uint16_t>(run);
      const auto length = bus_.read<std::uint16_t>(run + 2);
      if (length == 0 || record + length > max_facial_records) return;
      for (std::uint32_t i = 0; i < length && !bus_.stopped(); ++i) write(first + i, record + i);
      record += length;
    }
  }

 private:
  std::int16_t component(std::size_t pose, std::uint32_t record, std::uint32_t c) {
    const std::uint32_t at =
        target_.poses[pose] + (record * target_.components + c) * target_.component_bytes;
    return target_.component_bytes == 1 ? bus_.read<std::int8_t>(at) : bus_.read<std::int16_t>(at);
  }

  std::int16_t value(std::uint32_t record, std::uint32_t c) {
    return posed_component(pose_, target_.poses.size(),
                           [&](std::size_t p) { return component(p, record, c); });
  }

  void write(std::uint32_t vertex, std::uint32_t record) {
    std::array<std::uint8_t, 32> bytes;
    for (std::uint32_t c = 0; c < target_.components; ++c) store_be(bytes.data() + 2 * c, value(record, c));
    if (!bus_.stopped()) {
      bus_.write(target_.base + vertex * target_.stride, Bytes(bytes).first(2U * target_.components),
                 WriteKind::pose);
    }
  }

  Bus& bus_;
  const FacialTarget& target_;
  const FacialObjectPose& pose_;
};

}  // namespace

FacialPoses facial_pose(const Facial& facial, std::uint32_t pose) {
  FacialPoses poses(facial.objects.size());
  for (FacialObjectPose& object : poses) {
    if (pose == 0) continue;
    object.weights.resize(pose + 1);
    object.weights[pose] = 1;
  }
  return poses;
}

FacialSection resolve_facial(const Block& block, std::uint32_t block_address) {
  FacialSection section;
  if (!block.facial) return section;
  const std::uint32_t base = block_address + block.facial->at;
  for (std::uint32_t o = 0; o < block.facial->objects.size(); ++o) {
    for (const FacialAttribute& a : block.facial->objects[o].attributes) {
      const auto array = resolve(block, a, block_address);
      const bool format = (a.component_bytes == 1 || a.component_bytes == 2) && a.components <= 16;
      if (!array || !format || a.pose_pointers.empty()) continue;
      FacialTarget target{.object = o,
                          .runs = base + a.runs_pointer,
                          .poses = a.pose_pointers,
                          .components = a.components,
                          .component_bytes = a.component_bytes,
                          .base = array->base,
                          .stride = array->stride};
      for (std::uint32_t& pose : target.poses) pose += base;
      section.targets.push_back(std::move(target));
    }
  }
  return section;
}

void apply_facial_poses(Bus& bus, const FacialSection& section, const FacialPoses& poses) {
  for (const FacialTarget& target : section.targets) {
    if (target.object >= poses.size()) continue;
    bus.enter(Step::facial, target.object);
    Applier(bus, target, poses[target.object]).run();
  }
}

}  // namespace lockline::emu
