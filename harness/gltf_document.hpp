#pragma once

#include <tiny_gltf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockline::harness {

/// Private. A glTF model under construction: one buffer, one scene.
class GltfDocument {
 public:
  /// Every adding function gives the accessor's number; over `max_bytes` the numbers are still valid, but
  /// overflown() is true and the data is not there.
  explicit GltfDocument(std::size_t max_bytes);

  int add_vectors(std::span<const float> values);              ///< three floats each, of a vertex
  int add_texture_coordinates(std::span<const float> values);  ///< two floats each
  int add_indices(std::span<const std::uint32_t> values);
  int add_colours(std::span<const std::uint8_t> rgba);
  /// `count` vectors of zeros, which take no room in the buffer.
  int add_zero_vectors(std::size_t count);
  int add_times(std::span<const float> seconds);
  /// What an animation sets at its times, `components` (1 or 3) floats each.
  int add_keys(std::span<const float> values, int components);

  /// A node of the scene that shows the mesh. Gives the node's number.
  int add_node(tinygltf::Mesh mesh);
  /// Lets `path` of the node jump to the next `values` at each time.
  void animate(int node, const char* path, int times, int values);

  /// No node was added.
  bool empty() const { return model_.nodes.empty(); }
  bool overflown() const { return overflown_; }
  /// A binary glTF file.
  std::vector<std::uint8_t> write() const;

 private:
  int add_floats(std::span<const float> values, int components, int target);
  void set_bounds(std::span<const float> values, std::size_t width);
  int add_accessor(const void* data, std::size_t bytes, std::size_t count, int component_type, int type,
                   int target);

  tinygltf::Model model_;
  std::size_t max_bytes_;
  bool overflown_ = false;
};

/// The text as glTF, which is JSON, may hold it: printable ASCII, anything else as '?'.
std::string gltf_name(std::string text);

}  // namespace lockline::harness
