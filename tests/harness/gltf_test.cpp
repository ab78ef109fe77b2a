#include "harness/gltf.hpp"

#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <cstring>

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"
#include "harness/mesh.hpp"
#include "tests/support/frame_vector.hpp"
#include "tests/support/mutation.hpp"

namespace lockline::harness {
namespace {

struct Loaded {
  std::vector<std::uint8_t> bytes;
  Block block;

  explicit Loaded(std::vector<std::uint8_t> b) : bytes(std::move(b)), block(parse_block(bytes).value()) {}
  emu::Machine machine() const { return emu::Machine::load(bytes, block, {}).value(); }
};

Loaded bundled(const char* recipe) {
  return Loaded(corpus::build_bytes(corpus::find(recipe).value()).value());
}

std::vector<Pose> poses(const Block& block, std::uint32_t random) {
  return poses_of(PoseSource{.animation = {},
                             .palette = {},
                             .frames = {},
                             .random_poses = random,
                             .seed = 3,
                             .faces = {}},
                  block)
      .value()
      .poses;
}

tinygltf::Model read(const std::vector<std::uint8_t>& glb) {
  tinygltf::Model model;
  std::string error, warning;
  EXPECT_TRUE(tinygltf::TinyGLTF().LoadBinaryFromMemory(&model, &error, &warning, glb.data(),
                                                        static_cast<unsigned>(glb.size())))
      << error;
  EXPECT_EQ(error + warning, "");
  return model;
}

/// An accessor's floats; zeros when it has no buffer view. Fails when they are not inside the view and
/// buffer.
std::vector<float> floats(const tinygltf::Model& model, int number) {
  const tinygltf::Accessor& accessor = model.accessors.at(static_cast<std::size_t>(number));
  const auto width =
      static_cast<std::size_t>(tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type)));
  std::vector<float> out(accessor.count * width);
  if (accessor.bufferView < 0) return out;
  const tinygltf::BufferView& view = model.bufferViews.at(static_cast<std::size_t>(accessor.bufferView));
  EXPECT_EQ(accessor.componentType, TINYGLTF_COMPONENT_TYPE_FLOAT);
  EXPECT_EQ(view.byteLength, out.size() * sizeof(float));
  EXPECT_EQ(view.byteOffset % 4, 0U);
  EXPECT_LE(view.byteOffset + view.byteLength, model.buffers.at(0).data.size());
  std::memcpy(out.data(), model.buffers[0].data.data() + view.byteOffset, view.byteLength);
  return out;
}

/// floats(), after checking that min and max are exactly theirs.
std::vector<float> bounded(const tinygltf::Model& model, int number) {
  const std::vector<float> out = floats(model, number);
  const tinygltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(number)];
  const std::size_t width = accessor.minValues.size();
  EXPECT_EQ(out.size() % width, 0U);
  std::vector<double> low(width, INFINITY), high(width, -INFINITY);
  for (std::size_t i = 0; i < out.size(); ++i) {
    low[i % width] = std::min<double>(low[i % width], out[i]);
    high[i % width] = std::max<double>(high[i % width], out[i]);
  }
  EXPECT_EQ(accessor.minValues, low);
  EXPECT_EQ(accessor.maxValues, high);
  return out;
}

std::vector<std::uint32_t> indices(const tinygltf::Model& model, const tinygltf::Primitive& primitive) {
  const tinygltf::Accessor& accessor = model.accessors.at(static_cast<std::size_t>(primitive.indices));
  const tinygltf::BufferView& view = model.bufferViews.at(static_cast<std::size_t>(accessor.bufferView));
  std::vector<std::uint32_t> out(accessor.count);
  EXPECT_EQ(view.byteLength, out.size() * sizeof(std::uint32_t));
  std::memcpy(out.data(), model.buffers.at(0).data.data() + view.byteOffset, view.byteLength);
  return out;
}

/// The corner positions of all triangles of a primitive with a morph target (or -1) applied.
std::vector<float> corners(const tinygltf::Model& model, const tinygltf::Primitive& primitive, int target) {
  std::vector<float> positions = bounded(model, primitive.attributes.at("POSITION"));
  if (target >= 0 && !primitive.targets.empty()) {
    const auto moved = bounded(model, primitive.targets.at(static_cast<std::size_t>(target)).at("POSITION"));
    EXPECT_EQ(moved.size(), positions.size());
    for (std::size_t i = 0; i < moved.size(); ++i) positions[i] += moved[i];
  }
  std::vector<float> out;
  for (const std::uint32_t index : indices(model, primitive)) {
    for (std::uint32_t c = 0; c < 3; ++c) out.push_back(positions.at(3 * index + c));
  }
  return out;
}

/// The same from the emulated memory: every position is raw / 2^shift.
std::vector<float> expected_corners(const Block& block, const DrawnMesh& mesh, Bytes image) {
  const PositionArray& array = *block.gpl->submeshes[mesh.submesh].layout->position;
  std::vector<float> out;
  for (const std::uint32_t vertex : mesh.triangles) {
    for (std::uint32_t c = 0; c < 3; ++c) {
      const auto element = static_cast<std::uint32_t>(mesh.vertices[vertex][0]);
      const std::uint8_t* p = image.data() + array.data_at + 2 * (element * array.header.components + c);
      out.push_back(static_cast<float>(load_be<std::int16_t>(p)) /
                    static_cast<float>(1 << array.header.quantization.shift()));
    }
  }
  return out;
}

/// Without its bones, so that every submesh stays as it is stored.
void expect_emulated_frames(Loaded loaded, const std::vector<Pose>& run, FramesAs as) {
  loaded.block.act.reset();
  emu::Machine exported = loaded.machine(), again = loaded.machine();
  const auto gltf = export_gltf(loaded.block, exported, run, as);
  ASSERT_TRUE(gltf) << to_string(gltf.error());
  EXPECT_EQ(gltf->frames, run.size());
  const tinygltf::Model model = read(gltf->bytes);
  const DrawnModel drawn = drawn_model(loaded.block).value();
  for (std::size_t frame = 0; frame < run.size(); ++frame) {
    again.frame(run[frame].matrices, &run[frame].faces);
    for (std::size_t m = 0; m < drawn.meshes.size(); ++m) {
      const auto& primitive = as == FramesAs::morphs ? model.meshes.at(m).primitives.at(0)
                                                     : model.meshes.at(frame).primitives.at(m);
      const int target = as == FramesAs::morphs ? static_cast<int>(frame) - 1 : -1;
      EXPECT_EQ(corners(model, primitive, target),
                expected_corners(loaded.block, drawn.meshes[m], again.block()))
          << "frame " << frame << " mesh " << m;
    }
  }
}

TEST(Gltf, MorphTargetsAreTheEmulatedFrames) {
  for (const char* recipe : {"luigi-shape", "face-rigid-target", "shared-line", "sk1-over-even"}) {
    const Loaded loaded = bundled(recipe);
    expect_emulated_frames(loaded, poses(loaded.block, 3), FramesAs::morphs);
  }
}

TEST(Gltf, MeshesAreTheEmulatedFrames) {
  for (const char* recipe : {"luigi-shape", "many-poses", "shared-line"}) {
    const Loaded loaded = bundled(recipe);
    expect_emulated_frames(loaded, poses(loaded.block, 3), FramesAs::meshes);
  }
}

TEST(Gltf, EveryFrameVectorOfDolphin) {
  for (const std::string& name : tests::stems("frames", ".frames")) {
    const tests::FrameVector v = tests::load_frame_vector(name);
    expect_emulated_frames(Loaded(v.bytes),
                           poses_of(PoseSource{.animation = {},
                                               .palette = v.palette,
                                               .frames = {},
                                               .random_poses = 0,
                                               .seed = 0,
                                               .faces = {}},
                                    v.block)
                               .value()
                               .poses,
                           FramesAs::morphs);
  }
}

TEST(Gltf, BonesPlaceTheRigidSubmeshes) {
  Loaded loaded = bundled("small-body");
  const auto bone = std::find_if(loaded.block.act->bones.begin(), loaded.block.act->bones.end(),
                                 [](const Bone& b) { return b.geo_id == 1; });
  ASSERT_NE(bone, loaded.block.act->bones.end());
  ASSERT_NE(loaded.block.act->control_of(*bone), nullptr);
  for (Control& control : loaded.block.act->controls) {
    control.mask = control.at == loaded.block.act->control_of(*bone)->at ? Control::translation_bit : 0;
    control.values[7] = 1, control.values[8] = 2, control.values[9] = 3;
  }
  std::vector<Pose> run(2, rest_pose(loaded.block));
  run[1].matrices[static_cast<std::size_t>(bone - loaded.block.act->bones.begin())] = {0, -1, 0, 10, 1, 0,
                                                                                       0, 0,  0, 0,  1, 0};
  emu::Machine machine = loaded.machine(), again = loaded.machine();
  const auto gltf = export_gltf(loaded.block, machine, run, FramesAs::morphs);
  const DrawnModel drawn = drawn_model(loaded.block).value();
  ASSERT_EQ(drawn.meshes.at(1).submesh, 1U);
  const tinygltf::Model model = read(gltf->bytes);
  for (int frame = 0; frame < 2; ++frame) {
    again.frame(run[static_cast<std::size_t>(frame)].matrices, &run[static_cast<std::size_t>(frame)].faces);
    const auto stored = expected_corners(loaded.block, drawn.meshes[1], again.block());
    const auto shown = corners(model, model.meshes.at(1).primitives.at(0), frame - 1);
    ASSERT_EQ(stored.size(), shown.size());
    for (std::size_t i = 0; i < stored.size(); i += 3) {
      const float x = stored[i] + 1, y = stored[i + 1] + 2;
      EXPECT_NEAR(shown[i], frame == 0 ? x : 10 - y, 1e-5);
      EXPECT_NEAR(shown[i + 1], frame == 0 ? y : x, 1e-5);
      EXPECT_NEAR(shown[i + 2], stored[i + 2] + 3, 1e-5);
    }
  }
}

TEST(Gltf, TheAnimationShowsFrameAfterFrame) {
  const Loaded loaded = bundled("small-body");
  emu::Machine machine = loaded.machine();
  const auto run = poses(loaded.block, 2);
  const tinygltf::Model model = read(export_gltf(loaded.block, machine, run, FramesAs::morphs)->bytes);
  ASSERT_EQ(model.animations.size(), 1U);
  const tinygltf::AnimationSampler& sampler = model.animations[0].samplers.at(0);
  EXPECT_EQ(sampler.interpolation, "STEP");
  EXPECT_EQ(model.animations[0].channels.at(0).target_path, "weights");
  EXPECT_EQ(bounded(model, sampler.input), (std::vector<float>{0, 1.0F / 60, 2.0F / 60}));
  EXPECT_EQ(floats(model, sampler.output), (std::vector<float>{0, 0, 1, 0, 0, 1}));
  const tinygltf::Mesh& mesh = model.meshes.at(0);
  EXPECT_EQ(mesh.weights, std::vector<double>(2));
  EXPECT_EQ(mesh.extras.Get("targetNames").Get(1).Get<std::string>(), "frame 2 (random 2)");
}

TEST(Gltf, MeshesAreShownOneAtATime) {
  const Loaded loaded = bundled("small-body");
  emu::Machine machine = loaded.machine();
  const tinygltf::Model model =
      read(export_gltf(loaded.block, machine, poses(loaded.block, 2), FramesAs::meshes)->bytes);
  ASSERT_EQ(model.animations.at(0).channels.size(), 3U);
  const auto keys = [&](std::size_t node) {
    const tinygltf::AnimationChannel& channel = model.animations[0].channels[node];
    EXPECT_EQ(channel.target_path, "scale");
    const auto& sampler = model.animations[0].samplers.at(static_cast<std::size_t>(channel.sampler));
    return std::pair(bounded(model, sampler.input), floats(model, sampler.output));
  };
  using Floats = std::vector<float>;
  EXPECT_EQ(keys(0), std::pair(Floats({0, 1.0F / 60}), Floats({1, 1, 1, 0, 0, 0})));
  EXPECT_EQ(keys(1), std::pair(Floats({0, 1.0F / 60, 2.0F / 60}), Floats({0, 0, 0, 1, 1, 1, 0, 0, 0})));
  EXPECT_EQ(keys(2), std::pair(Floats({1.0F / 60, 2.0F / 60}), Floats({0, 0, 0, 1, 1, 1})));
}

TEST(Gltf, NormalsAreUnitVectors) {
  const Loaded loaded = bundled("luigi-shape");
  emu::Machine machine = loaded.machine();
  const tinygltf::Model model =
      read(export_gltf(loaded.block, machine, poses(loaded.block, 0), FramesAs::morphs)->bytes);
  EXPECT_TRUE(model.animations.empty());
  for (const tinygltf::Mesh& mesh : model.meshes) {
    const auto normals = bounded(model, mesh.primitives.at(0).attributes.at("NORMAL"));
    for (std::size_t i = 0; i < normals.size(); i += 3)
      EXPECT_NEAR(std::hypot(normals[i], normals[i + 1], normals[i + 2]), 1, 1e-6);
  }
}

TEST(Gltf, AFrameThatStopsIsTheLast) {
  const Loaded loaded = bundled("sk1-one-odd");
  emu::Machine machine = loaded.machine();
  const auto gltf = export_gltf(loaded.block, machine, poses(loaded.block, 5), FramesAs::morphs);
  ASSERT_TRUE(gltf);
  EXPECT_EQ(gltf->frames, 1U);
  EXPECT_EQ(gltf->last.faults.size(), 1U);
}

TEST(Gltf, OnlyMeshesShowWhatIsNoLongerDrawn) {
  const Loaded loaded =
      bundled("face-rigid-target");  // its facial pose overwrites submesh 1's display states
  const auto run = poses(loaded.block, 0);
  emu::Machine machine = loaded.machine(), again = loaded.machine();
  EXPECT_EQ(read(export_gltf(loaded.block, machine, run, FramesAs::morphs)->bytes).meshes.size(), 2U);
  const auto gltf = export_gltf(loaded.block, again, run, FramesAs::meshes);
  EXPECT_EQ(read(gltf->bytes).meshes.at(0).primitives.size(), 1U);
}

TEST(Gltf, FramesAreLimited) {
  const Loaded loaded = bundled("small-body");
  emu::Machine machine = loaded.machine();
  std::vector<Pose> run(max_gltf_frames, rest_pose(loaded.block));
  EXPECT_TRUE(export_gltf(loaded.block, machine, run, FramesAs::morphs));
  run.push_back(run[0]);
  EXPECT_EQ(export_gltf(loaded.block, machine, run, FramesAs::morphs).error().code, ErrorCode::bad_value);
  run.clear();
  EXPECT_EQ(export_gltf(loaded.block, machine, run, FramesAs::morphs).error().code, ErrorCode::bad_value);
}

TEST(Gltf, FramesThatStayTheSameTakeNoRoom) {
  const Loaded loaded = bundled("small-body");
  emu::Machine machine = loaded.machine();
  std::vector<Pose> run(5, rest_pose(loaded.block));
  const tinygltf::Model model = read(export_gltf(loaded.block, machine, run, FramesAs::morphs)->bytes);
  EXPECT_TRUE(model.animations.empty());
  for (const tinygltf::Mesh& mesh : model.meshes) EXPECT_TRUE(mesh.primitives.at(0).targets.empty());
}

TEST(Gltf, NamesFromTheFileAreHarmless) {
  Loaded loaded = bundled("small-body");
  loaded.block.gpl->submeshes[0].name->text = "\xC3(\x01\"\\";
  emu::Machine machine = loaded.machine();
  const tinygltf::Model model =
      read(export_gltf(loaded.block, machine, poses(loaded.block, 0), FramesAs::morphs)->bytes);
  EXPECT_EQ(model.meshes.at(0).name, "?(?\"\\");
}

TEST(Gltf, AModelThatDrawsNothingIsAnError) {
  Loaded loaded = bundled("small-body");
  for (Submesh& submesh : loaded.block.gpl->submeshes) submesh.layout->display->states.clear();
  emu::Machine machine = loaded.machine();
  EXPECT_EQ(export_gltf(loaded.block, machine, poses(loaded.block, 0), FramesAs::morphs).error().code,
            ErrorCode::missing);
}

TEST(Gltf, SurvivesDamagedModels) {
  SplitMix64 random(9);
  const std::vector<std::uint8_t> whole = bundled("face-rigid-target").bytes;
  std::size_t exported = 0;
  for (int n = 0; n < 600; ++n) {
    const std::vector<std::uint8_t> bytes = tests::mutate(whole, random);
    const auto block = parse_block(bytes);
    if (!block) continue;
    auto machine = emu::Machine::load(bytes, *block, {});
    if (!machine) continue;
    const auto gltf =
        export_gltf(*block, *machine, poses(*block, 1), n % 2 == 0 ? FramesAs::morphs : FramesAs::meshes);
    if (!gltf) continue;
    ++exported;
    for (const tinygltf::Mesh& mesh : read(gltf->bytes).meshes) EXPECT_FALSE(mesh.primitives.empty());
  }
  EXPECT_GT(exported, 300U);
}

}  // namespace
}  // namespace lockline::harness
