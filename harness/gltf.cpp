#include "harness/gltf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "emu/bones.hpp"
#include "harness/gltf_document.hpp"
#include "harness/mesh.hpp"

namespace lockline::harness {
namespace {

std::string frame_name(std::size_t frame, std::span<const Pose> poses) {
  return fmt::format("frame {} ({})", frame, poses[frame].name);
}

std::string name_of(const Block& block, const DrawnMesh& mesh) {
  const auto& name = block.gpl->submeshes[mesh.submesh].name;
  return name && !name->text.empty() ? gltf_name(name->text) : fmt::format("submesh {}", mesh.submesh);
}

/// Moves the submeshes that a bone draws rigidly: their vertices are in the bone's own space (assumption).
/// The skinned submesh, and one that no bone names, stay as they are stored.
class Placements {
 public:
  explicit Placements(const Block& block) {
    if (!block.act) return;
    rest_forward_ = emu::Skeleton(*block.act).rest_forward();
    for (std::size_t bone = 0; bone < block.act->bones.size(); ++bone)
      bones_.try_emplace(block.act->bones[bone].geo_id, bone);
  }

  Matrix of(const DrawnMesh& mesh, const Block& block, const Pose& pose) const {
    const auto bone = bones_.find(mesh.submesh);
    const bool skinned = block.gpl->submeshes[mesh.submesh].layout->position->header.components == 6;
    if (skinned || bone == bones_.end() || bone->second >= pose.matrices.size()) return emu::identity_matrix;
    return emu::concatenate(pose.matrices[bone->second], rest_forward_[bone->second]);
  }

 private:
  std::vector<Matrix> rest_forward_;
  std::map<std::size_t, std::size_t> bones_;  ///< by submesh
};

/// Everything of a mesh that no morph target changes.
tinygltf::Primitive primitive_of(const DrawnMesh& mesh, const Block& block, Bytes image, const Shape& shape,
                                 GltfDocument& document) {
  tinygltf::Primitive primitive;
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
  primitive.indices = document.add_indices(mesh.triangles);
  primitive.attributes["POSITION"] = document.add_vectors(shape.positions);
  if (!shape.normals.empty()) primitive.attributes["NORMAL"] = document.add_vectors(shape.normals);
  if (mesh.has(Attribute::colour0))
    primitive.attributes["COLOR_0"] = document.add_colours(colours(mesh, block));
  int set = 0;
  for (std::uint32_t channel = 0; channel < 8; ++channel) {
    const auto attribute = static_cast<Attribute>(static_cast<std::uint32_t>(Attribute::tex0) + channel);
    if (!mesh.has(attribute)) continue;
    primitive.attributes[fmt::format("TEXCOORD_{}", set++)] =
        document.add_texture_coordinates(texture_coordinates(mesh, block, image, channel));
  }
  return primitive;
}

/// Seconds at which the frames `first` to `last` begin.
int add_times(GltfDocument& document, std::size_t first, std::size_t last) {
  std::vector<float> times;
  for (std::size_t frame = first; frame <= last; ++frame)
    times.push_back(static_cast<float>(frame) / gltf_frame_rate);
  return document.add_times(times);
}

/// The shape of a submesh in each frame as morph targets of the first one's.
class MorphedMesh {
 public:
  MorphedMesh(const DrawnMesh& mesh, const Block& block, Bytes image, const Matrix& placement,
              GltfDocument& document)
      : mesh_(mesh), block_(block), document_(document), first_(shape_of(mesh, block, image, placement)) {
    out_.name = name_of(block, mesh);
    out_.primitives.push_back(primitive_of(mesh, block, image, first_, document));
  }

  void add_target(Bytes image, const Matrix& placement) {
    const Shape shape = shape_of(mesh_, block_, image, placement);
    std::map<std::string, int> target{{"POSITION", difference(shape.positions, first_.positions)}};
    if (!first_.normals.empty()) target["NORMAL"] = difference(shape.normals, first_.normals);
    out_.primitives[0].targets.push_back(std::move(target));
  }

  /// The node's number, or -1 when the mesh looks the same in every frame and so has no targets.
  int finish(const tinygltf::Value::Array& names) {
    if (moves_) {
      fill_in_zeros();
      out_.weights.assign(names.size(), 0);
      out_.extras = tinygltf::Value(tinygltf::Value::Object{{"targetNames", tinygltf::Value(names)}});
    } else {
      out_.primitives[0].targets.clear();
    }
    const int node = document_.add_node(std::move(out_));
    return moves_ ? node : -1;
  }

 private:
  static constexpr int no_difference = -1;

  int difference(const std::vector<float>& now, const std::vector<float>& first) {
    if (now == first) return no_difference;
    moves_ = true;
    std::vector<float> out(now.size());
    std::transform(now.begin(), now.end(), first.begin(), out.begin(), std::minus<>());
    return document_.add_vectors(out);
  }

  void fill_in_zeros() {
    int zeros = no_difference;
    for (auto& target : out_.primitives[0].targets) {
      for (auto& [attribute, accessor] : target) {
        if (accessor != no_difference) continue;
        if (zeros == no_difference) zeros = document_.add_zero_vectors(mesh_.vertices.size());
        accessor = zeros;
      }
    }
  }

  const DrawnMesh& mesh_;
  const Block& block_;
  GltfDocument& document_;
  Shape first_;
  tinygltf::Mesh out_;
  bool moves_ = false;
};

/// Runs the poses until one stops; `see(frame, image)` after each. The last frame's result.
template <class See>
emu::FrameResult run(emu::Machine& machine, std::span<const Pose> poses, GltfExport& out, See see) {
  emu::FrameResult result;
  for (const Pose& pose : poses) {
    result = machine.frame(pose.matrices, &pose.faces);
    see(out.frames++, machine.block());
    if (result.stopped) break;
  }
  return result;
}

void animate_weights(GltfDocument& document, const std::vector<int>& nodes, std::size_t frames) {
  if (nodes.empty()) return;
  const std::size_t targets = frames - 1;
  std::vector<float> weights(frames * targets);
  for (std::size_t target = 0; target < targets; ++target) weights[(target + 1) * targets + target] = 1;
  const int times = add_times(document, 0, frames - 1), values = document.add_keys(weights, 1);
  for (const int node : nodes) document.animate(node, "weights", times, values);
}

void export_morphs(const Block& block, const DrawnModel& drawn, emu::Machine& machine,
                   std::span<const Pose> poses, GltfDocument& document, GltfExport& out) {
  const Placements placements(block);
  std::vector<MorphedMesh> meshes;
  out.last = run(machine, poses, out, [&](std::size_t frame, Bytes image) {
    for (std::size_t m = 0; m < drawn.meshes.size() && !document.overflown(); ++m) {
      const DrawnMesh& mesh = drawn.meshes[m];
      const Matrix placement = placements.of(mesh, block, poses[frame]);
      if (frame == 0) {
        meshes.emplace_back(mesh, block, image, placement, document);
      } else {
        meshes[m].add_target(image, placement);
      }
    }
  });
  tinygltf::Value::Array names;
  for (std::size_t frame = 1; frame < out.frames; ++frame) names.emplace_back(frame_name(frame, poses));
  std::vector<int> moving;
  for (MorphedMesh& mesh : meshes) {
    if (const int node = mesh.finish(names); node >= 0) moving.push_back(node);
  }
  animate_weights(document, moving, out.frames);
}

/// All that `block`, read from the memory after a frame, draws. -1 when it draws nothing.
int add_frame_mesh(const Block& block, Bytes image, const Placements& placements, const Pose& pose,
                   std::string name, GltfDocument& document) {
  tinygltf::Mesh out;
  out.name = std::move(name);
  for (const DrawnMesh& mesh : drawn_model(block).value_or(DrawnModel()).meshes) {
    const Shape shape = shape_of(mesh, block, image, placements.of(mesh, block, pose));
    out.primitives.push_back(primitive_of(mesh, block, image, shape, document));
  }
  return out.primitives.empty() ? -1 : document.add_node(std::move(out));
}

/// Scale 1 during the node's own frame, else 0.
void show_during(GltfDocument& document, int node, std::size_t frame, std::size_t frames) {
  const std::size_t first = frame == 0 ? 0 : frame - 1, last = std::min(frame + 1, frames - 1);
  std::vector<float> scales;
  for (std::size_t f = first; f <= last; ++f) scales.insert(scales.end(), 3, f == frame ? 1.0F : 0.0F);
  document.animate(node, "scale", add_times(document, first, last), document.add_keys(scales, 3));
}

void export_meshes(const Block& block, emu::Machine& machine, std::span<const Pose> poses,
                   GltfDocument& document, GltfExport& out) {
  const Placements placements(block);
  std::vector<int> nodes;
  out.last = run(machine, poses, out, [&](std::size_t frame, Bytes image) {
    if (document.overflown()) return;
    const auto now = parse_block(image);
    nodes.push_back(add_frame_mesh(now ? *now : block, image, placements, poses[frame],
                                   frame_name(frame, poses), document));
  });
  for (std::size_t frame = 0; frame < nodes.size() && out.frames > 1; ++frame) {
    if (nodes[frame] >= 0) show_during(document, nodes[frame], frame, out.frames);
  }
}

tl::unexpected<Error> failure(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, 0, "glTF", std::move(message)});
}

}  // namespace

Expected<GltfExport> export_gltf(const Block& block, emu::Machine& machine, std::span<const Pose> poses,
                                 FramesAs as) {
  if (poses.empty() || poses.size() > max_gltf_frames)
    return failure(ErrorCode::bad_value, fmt::format("1 to {} frames can be exported", max_gltf_frames));
  const auto drawn = drawn_model(block);
  if (!drawn) return tl::unexpected(drawn.error());
  if (drawn->meshes.empty()) return failure(ErrorCode::missing, "the model's primitive lists draw nothing");
  GltfExport out;
  out.outside = drawn->outside;
  for (const DrawnMesh& mesh : drawn->meshes) {
    out.vertices += mesh.vertices.size();
    out.triangles += mesh.triangles.size() / 3;
  }
  GltfDocument document(max_gltf_bytes);
  if (as == FramesAs::morphs) {
    export_morphs(block, *drawn, machine, poses, document, out);
  } else {
    export_meshes(block, machine, poses, document, out);
  }
  if (document.overflown()) {
    return failure(ErrorCode::too_large,
                   fmt::format("{} frames of {} vertices make more than {} MB; export fewer", poses.size(),
                               out.vertices, max_gltf_bytes >> 20));
  }
  if (document.empty()) return failure(ErrorCode::missing, "after the frames nothing is left to be drawn");
  out.bytes = document.write();
  return out;
}

}  // namespace lockline::harness
