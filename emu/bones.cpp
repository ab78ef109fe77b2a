#include "emu/bones.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "emu/arithmetic.hpp"

namespace lockline::emu {
namespace {

/// A 3x3 rotation in row order.
using Rotation = std::array<float, 9>;

/// The rotations about x, y and z multiplied out: Rz x Ry x Rx. Sines in double, rounded to single.
Rotation from_euler(const float* degrees) {
  std::array<float, 3> s{}, c{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double angle = degrees[i] * (std::numbers::pi / 180);
    s[i] = static_cast<float>(std::sin(angle));
    c[i] = static_cast<float>(std::cos(angle));
  }
  const auto [sx, sy, sz] = s;
  const auto [cx, cy, cz] = c;
  return {cz * cy,
          cz * sy * sx - sz * cx,
          cz * sy * cx + sz * sx,
          sz * cy,
          sz * sy * sx + cz * cx,
          sz * sy * cx - cz * sx,
          -sy,
          cy * sx,
          cy * cx};
}

Rotation from_quaternion(const float* q) {
  const float x = q[0], y = q[1], z = q[2], w = q[3];
  const float s = 2 / (x * x + y * y + z * z + w * w);
  const float xs = x * s, ys = y * s, zs = z * s;
  const float wx = w * xs, wy = w * ys, wz = w * zs;
  const float xx = x * xs, xy = x * ys, xz = x * zs;
  const float yy = y * ys, yz = y * zs, zz = z * zs;
  return {1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy)};
}

/// The bone whose forward matrix comes before each bone's, or -1.
std::vector<std::int32_t> forward_parents(const Act& act) {
  std::vector<std::int32_t> parents;
  for (const Bone& bone : act.bones) {
    const auto parent = bone.inheritance == 1 ? act.bone_at(bone.parent) : std::nullopt;
    parents.push_back(parent ? static_cast<std::int32_t>(*parent) : -1);
  }
  return parents;
}

/// Parents before children, siblings by number; bones in circles are left out.
std::vector<std::uint32_t> parents_first(const std::vector<std::int32_t>& parents) {
  std::vector<std::vector<std::uint32_t>> children(parents.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t bone = 0; bone < parents.size(); ++bone) {
    if (parents[bone] < 0) {
      order.push_back(bone);
    } else {
      children[static_cast<std::size_t>(parents[bone])].push_back(bone);
    }
  }
  for (std::size_t next = 0; next < order.size(); ++next)
    order.insert(order.end(), children[order[next]].begin(), children[order[next]].end());
  return order;
}

template <class Fma>
[[gnu::always_inline]] inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix m{};
  for (std::size_t row = 0; row < 12; row += 4) {
    for (std::size_t column = 0; column < 4; ++column) {
      float sum = a[row] * b[column];
      sum = Fma::multiply_add(a[row + 1], b[4 + column], sum);
      m[row + column] = Fma::multiply_add(a[row + 2], b[8 + column], sum);
    }
    m[row + 3] += a[row + 3];
  }
  return m;
}

#ifdef LOCKLINE_ASKS_FOR_FMA
[[gnu::target("fma")]] Matrix product_fused(const Matrix& a, const Matrix& b) {
  return product<FusedOnce>(a, b);
}
#endif

}  // namespace

Matrix concatenate(const Matrix& a, const Matrix& b) {
#ifdef LOCKLINE_ASKS_FOR_FMA
  return has_fma() ? product_fused(a, b) : product<FusedByOdd>(a, b);
#else
  return product<FusedOnce>(a, b);
#endif
}

Matrix inverse(const Matrix& m) {
  const auto cofactor = [&m](std::size_t r1, std::size_t c1, std::size_t r2, std::size_t c2) {
    return m[4 * r1 + c1] * m[4 * r2 + c2] - m[4 * r2 + c1] * m[4 * r1 + c2];
  };
  float determinant = m[0] * m[5] * m[10] + m[1] * m[6] * m[8] + m[2] * m[4] * m[9] - m[8] * m[5] * m[2] -
                      m[4] * m[1] * m[10] - m[0] * m[9] * m[6];
  if (determinant == 0) return identity_matrix;
  determinant = 1 / determinant;
  Matrix out{cofactor(1, 1, 2, 2) * determinant,  -cofactor(0, 1, 2, 2) * determinant,
             cofactor(0, 1, 1, 2) * determinant,  0,
             -cofactor(1, 0, 2, 2) * determinant, cofactor(0, 0, 2, 2) * determinant,
             -cofactor(0, 0, 1, 2) * determinant, 0,
             cofactor(1, 0, 2, 1) * determinant,  -cofactor(0, 0, 2, 1) * determinant,
             cofactor(0, 0, 1, 1) * determinant,  0};
  for (std::size_t row = 0; row < 12; row += 4)
    out[row + 3] = -out[row] * m[3] - out[row + 1] * m[7] - out[row + 2] * m[11];
  return out;
}

Matrix control_matrix(const Control& control) {
  if ((control.mask & Control::matrix_bit) != 0) return control.values;
  Rotation rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
  if ((control.mask & Control::euler_bit) != 0) {
    rotation = from_euler(control.values.data() + Control::rotation_at);
  } else if ((control.mask & Control::quaternion_bit) != 0) {
    rotation = from_quaternion(control.values.data() + Control::rotation_at);
  }
  Matrix m{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      const bool scaled = (control.mask & Control::scale_bit) != 0;
      m[4 * row + column] = scaled ? rotation[3 * row + column] * control.values[Control::scale_at + column]
                                   : rotation[3 * row + column];
    }
    if ((control.mask & Control::translation_bit) != 0)
      m[4 * row + 3] = control.values[Control::translation_at + row];
  }
  return m;
}

std::vector<std::uint16_t> bone_tracks(const Act& act) {
  std::vector<std::uint16_t> tracks(act.bones.size(), no_track);
  for (const UserData& user : act.user_data) {
    const auto* ids = std::get_if<std::vector<std::uint16_t>>(&user.data);
    if (user.kind != UserData::tracks_kind || ids == nullptr) continue;
    std::copy_n(ids->begin(), std::min(ids->size(), tracks.size()), tracks.begin());
    return tracks;
  }
  std::iota(tracks.begin(), tracks.end(), std::uint16_t{0});
  return tracks;
}

Skeleton::Skeleton(const Act& act)
    : parents_(forward_parents(act)),
      order_(parents_first(parents_)),
      inverses_(act.bones.size(), identity_matrix),
      forward_(act.bones.size(), identity_matrix) {
  rest_.reserve(act.bones.size());
  for (const Bone& bone : act.bones) {
    const Control* control = act.control_of(bone);
    rest_.push_back(control == nullptr ? identity_matrix : control_matrix(*control));
  }
  for (const std::uint32_t bone : order_) inverses_[bone] = inverse(forward(bone, rest_[bone]));
  rest_forward_ = forward_;
}

/// Computes a bone's forward matrix after its parent's.
const Matrix& Skeleton::forward(std::size_t bone, const Matrix& local) {
  const std::int32_t parent = parents_[bone];
  forward_[bone] = parent < 0 ? local : concatenate(forward_[static_cast<std::size_t>(parent)], local);
  return forward_[bone];
}

Matrix Skeleton::local(std::size_t bone, const BoneControl& animation) const {
  if (animation.control.mask == 0) return rest_[bone];
  const Matrix moved = control_matrix(animation.control);
  return animation.replaces_hierarchy ? moved : concatenate(rest_[bone], moved);
}

void Skeleton::skin_matrices(std::span<const BoneControl> controls, std::span<Matrix> skin) {
  std::fill(skin.begin(), skin.end(), identity_matrix);
  for (const std::uint32_t bone : order_) {
    const Matrix& moved = forward(bone, controls.empty() ? rest_[bone] : local(bone, controls[bone]));
    skin[bone] = concatenate(moved, inverses_[bone]);
  }
}

}  // namespace lockline::emu
