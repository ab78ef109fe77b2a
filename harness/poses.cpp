#include "harness/poses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/random.hpp"

namespace lockline::harness {
namespace {

constexpr Matrix identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/// Rotation by `angle` about (x, y, z), then a translation. Only + - x / and sqrt: the same bits everywhere.
Matrix turn_and_move(SplitMix64& random, double size) {
  double x = random.symmetric(), y = random.symmetric(), z = random.symmetric();
  const double length = std::sqrt(x * x + y * y + z * z);
  if (length < 1e-3) return identity;
  x /= length, y /= length, z /= length;
  const double half = 0.414213562373095 * random.symmetric();  // tan(45 degrees / 2): at most 45 degrees
  const double cosine = (1 - half * half) / (1 + half * half), sine = 2 * half / (1 + half * half),
               rest = 1 - cosine;
  const double rows[12] = {cosine + x * x * rest,     x * y * rest - z * sine,   x * z * rest + y * sine,
                           size * random.symmetric(), y * x * rest + z * sine,   cosine + y * y * rest,
                           y * z * rest - x * sine,   size * random.symmetric(), z * x * rest - y * sine,
                           z * y * rest + x * sine,   cosine + z * z * rest,     size * random.symmetric()};
  Matrix m{};
  std::transform(std::begin(rows), std::end(rows), m.begin(), [](double v) { return static_cast<float>(v); });
  return m;
}

/// The largest position component of the skinned submesh, in model units.
double extent(const Block& block) {
  const PositionArray* positions = block.skinned_positions();
  if (positions == nullptr) return 0;
  const auto* raw = std::get_if<std::vector<std::int16_t>>(&positions->values);
  if (raw == nullptr) return 0;
  int largest = 0;
  for (std::size_t i = 0; i < raw->size(); ++i) {
    if (i % 6 < 3) largest = std::max(largest, std::abs(int{(*raw)[i]}));
  }
  return std::ldexp(largest, -positions->header.quantization.shift());
}

std::vector<Pose> palette_poses(const Palette& palette, const Block& block) {
  std::vector<Pose> poses;
  for (std::uint32_t f = 0; f < palette.frames; ++f) {
    Pose& pose = poses.emplace_back(rest_pose(block));
    const auto matrices = palette.frame(f);
    pose.name = fmt::format("palette {}", f);
    pose.matrices.assign(matrices.begin(), matrices.end());
  }
  return poses;
}

}  // namespace

std::vector<Pose> poses_of(const PoseSource& source, const Block& block) {
  if (source.palette) return palette_poses(*source.palette, block);
  std::vector<Pose> poses{rest_pose(block)};
  for (std::uint32_t n = 0; n < source.random_poses; ++n)
    poses.push_back(random_pose(block, source.seed, n + 1));
  return poses;
}

std::uint32_t bone_count(const Block& block) {
  if (block.act) return block.act->bone_count;
  std::uint32_t bones = 0;
  const auto see = [&](std::uint32_t bone) { bones = std::max(bones, bone + 1); };
  if (block.skn) {
    for (const Sk1Entry& e : block.skn->sk1) see(e.bone);
    for (const Sk2Entry& e : block.skn->sk2) see(std::max(e.bone1, e.bone2));
    for (const SkAccEntry& e : block.skn->acc) see(e.bone);
  }
  return bones;
}

Pose rest_pose(const Block& block) {
  Pose pose{
      .name = "rest", .matrices = std::vector(bone_count(block), identity), .faces = {}, .invented = false};
  if (block.facial) pose.faces = emu::facial_pose(*block.facial, 0);
  return pose;
}

Pose random_pose(const Block& block, std::uint64_t seed, std::uint32_t number) {
  Pose pose{.name = fmt::format("random {}", number), .matrices = {}, .faces = {}, .invented = true};
  SplitMix64 random(seed ^ (std::uint64_t{number} << 32));
  const double size = extent(block) / 16;
  pose.matrices.resize(bone_count(block));
  for (Matrix& m : pose.matrices) m = turn_and_move(random, size);
  if (!block.facial) return pose;
  const auto& objects = block.facial->objects;
  pose.faces.resize(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].pose_count == 0) continue;
    const std::uint32_t face = number % objects[i].pose_count;
    pose.faces[i].weights.resize(face + 1);
    pose.faces[i].weights[face] = 1;
  }
  return pose;
}

}  // namespace lockline::harness
