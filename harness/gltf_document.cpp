#include "harness/gltf_document.hpp"

#include <algorithm>
#include <sstream>

namespace lockline::harness {

GltfDocument::GltfDocument(std::size_t max_bytes) : max_bytes_(max_bytes) {
  model_.asset.version = "2.0";
  model_.asset.generator = "lockline";
  model_.buffers.emplace_back();
  model_.scenes.emplace_back();
  model_.defaultScene = 0;
  tinygltf::Material material;  // no texture; both sides, so that a wrong winding is no hole
  material.doubleSided = true;
  material.pbrMetallicRoughness.metallicFactor = 0;
  model_.materials.push_back(std::move(material));
}

int GltfDocument::add_accessor(const void* data, std::size_t bytes, std::size_t count, int component_type,
                               int type, int target) {
  auto& buffer = model_.buffers[0].data;
  tinygltf::Accessor accessor;
  accessor.componentType = component_type;
  accessor.type = type;
  accessor.count = count;
  overflown_ = overflown_ || bytes > max_bytes_ - buffer.size();
  if (data != nullptr && !overflown_) {
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = buffer.size();
    view.byteLength = bytes;
    view.target = target;
    accessor.bufferView = static_cast<int>(model_.bufferViews.size());
    model_.bufferViews.push_back(std::move(view));
    const auto* first = static_cast<const unsigned char*>(data);
    buffer.insert(buffer.end(), first, first + bytes);
  }
  model_.accessors.push_back(std::move(accessor));
  return static_cast<int>(model_.accessors.size()) - 1;
}

int GltfDocument::add_floats(std::span<const float> values, int components, int target) {
  constexpr int types[] = {TINYGLTF_TYPE_SCALAR, TINYGLTF_TYPE_VEC2, TINYGLTF_TYPE_VEC3};
  const auto width = static_cast<std::size_t>(components);
  return add_accessor(values.data(), values.size_bytes(), values.size() / width,
                      TINYGLTF_COMPONENT_TYPE_FLOAT, types[width - 1], target);
}

void GltfDocument::set_bounds(std::span<const float> values, std::size_t width) {
  tinygltf::Accessor& accessor = model_.accessors.back();
  accessor.minValues.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
  accessor.maxValues = accessor.minValues;
  for (std::size_t i = 0; i < values.size(); ++i) {
    accessor.minValues[i % width] = std::min<double>(accessor.minValues[i % width], values[i]);
    accessor.maxValues[i % width] = std::max<double>(accessor.maxValues[i % width], values[i]);
  }
}

int GltfDocument::add_vectors(std::span<const float> values) {
  const int number = add_floats(values, 3, TINYGLTF_TARGET_ARRAY_BUFFER);
  set_bounds(values, 3);
  return number;
}

int GltfDocument::add_texture_coordinates(std::span<const float> values) {
  return add_floats(values, 2, TINYGLTF_TARGET_ARRAY_BUFFER);
}

int GltfDocument::add_times(std::span<const float> seconds) {
  const int number = add_floats(seconds, 1, 0);
  set_bounds(seconds, 1);
  return number;
}

int GltfDocument::add_keys(std::span<const float> values, int components) {
  return add_floats(values, components, 0);
}

int GltfDocument::add_indices(std::span<const std::uint32_t> values) {
  return add_accessor(values.data(), values.size_bytes(), values.size(), TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
                      TINYGLTF_TYPE_SCALAR, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
}

int GltfDocument::add_colours(std::span<const std::uint8_t> rgba) {
  const int number =
      add_accessor(rgba.data(), rgba.size(), rgba.size() / 4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                   TINYGLTF_TYPE_VEC4, TINYGLTF_TARGET_ARRAY_BUFFER);
  model_.accessors.back().normalized = true;
  return number;
}

int GltfDocument::add_zero_vectors(std::size_t count) {
  const int number = add_accessor(nullptr, 0, count, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_VEC3, 0);
  model_.accessors.back().minValues.assign(3, 0);
  model_.accessors.back().maxValues.assign(3, 0);
  return number;
}

int GltfDocument::add_node(tinygltf::Mesh mesh) {
  for (tinygltf::Primitive& primitive : mesh.primitives) primitive.material = 0;
  tinygltf::Node node;
  node.name = mesh.name;
  node.mesh = static_cast<int>(model_.meshes.size());
  model_.meshes.push_back(std::move(mesh));
  const auto number = static_cast<int>(model_.nodes.size());
  model_.nodes.push_back(std::move(node));
  model_.scenes[0].nodes.push_back(number);
  return number;
}

void GltfDocument::animate(int node, const char* path, int times, int values) {
  if (model_.animations.empty()) {
    model_.animations.emplace_back();
    model_.animations[0].name = "frames";
  }
  tinygltf::Animation& animation = model_.animations[0];
  tinygltf::AnimationChannel channel;
  channel.sampler = static_cast<int>(animation.samplers.size());
  channel.target_node = node;
  channel.target_path = path;
  animation.channels.push_back(std::move(channel));
  tinygltf::AnimationSampler sampler;
  sampler.input = times;
  sampler.output = values;
  sampler.interpolation = "STEP";
  animation.samplers.push_back(std::move(sampler));
}

std::vector<std::uint8_t> GltfDocument::write() const {
  std::ostringstream stream;
  tinygltf::TinyGLTF().WriteGltfSceneToStream(&model_, stream, false, true);
  const std::string text = std::move(stream).str();
  return {text.begin(), text.end()};
}

std::string gltf_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c > 0x7E; }, '?');
  return text;
}

}  // namespace lockline::harness
