#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/act.hpp"
#include "formats/skn.hpp"

/// Step 2 of runtime.md: the bone matrices of a frame. Matrices are 3x4 in row order, vectors columns; single
/// precision. What runtime.md does not say is marked as an assumption.
namespace lockline::emu {

inline constexpr Matrix identity_matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/// a x b: b first. Per element mul(a0, b0), then two multiply-adds, then a's translation, each rounded once
/// (assumption: the order of the console's public matrix library). Denormals are kept.
Matrix concatenate(const Matrix& a, const Matrix& b);

/// The inverse of an affine matrix: cofactors of the 3x3 part over its determinant, then minus that times the
/// translation; multiplications and additions each rounded (assumption: as in that library). Identity for a
/// determinant of 0 (assumption).
Matrix inverse(const Matrix& m);

/// translation x rotation x scale of the components whose mask bit is set; matrix_bit: the twelve values;
/// mask 0: identity. Euler angles turn about x, then y, then z. A quaternion counts with 2 / its squared
/// length, so its length does not matter; Euler angles win over a quaternion (assumptions, the order
/// included).
Matrix control_matrix(const Control& control);

/// Track id of bones without one. Source: formats.md "ACT".
inline constexpr std::uint16_t no_track = 0xFFFF;

/// The track id of each bone: user data of kind 3, as far as it goes; bones it does not reach have none.
/// Without that user data a bone's track has the bone's number (assumption).
std::vector<std::uint16_t> bone_tracks(const Act& act);

/// What an animation does to a bone in a frame. Mask 0: nothing, its orientation control stands alone.
struct BoneControl {
  Control control;
  bool replaces_hierarchy = false;  ///< the orientation control is left out; else it comes before:
                                    ///< orientation x animation
};

/// A model's bones at rest, ready to be moved. A bone's number is its place in the table (formats.md: "in id
/// order"), whatever its id field says. World is the identity: model space.
///
/// In a damaged ACT a parent pointer that leads to no bone of the table counts as none, and bones whose
/// parents form a circle, with all that hang on them, keep the identity (assumptions). Links other than the
/// parent's are not followed: a bone that the tree does not reach is computed all the same.
class Skeleton {
 public:
  explicit Skeleton(const Act& act);

  std::size_t bones() const { return rest_.size(); }

  /// Each bone's forward matrix at rest: what a skin matrix is multiplied with to place a submesh that the
  /// bone draws rigidly.
  const std::vector<Matrix>& rest_forward() const { return rest_forward_; }

  /// The skin matrices of a frame, forward x orientationInverse, into `skin`. One control per bone; none at
  /// all: the rest pose. `skin` has bones() elements.
  void skin_matrices(std::span<const BoneControl> controls, std::span<Matrix> skin);

 private:
  const Matrix& forward(std::size_t bone, const Matrix& local);
  Matrix local(std::size_t bone, const BoneControl& animation) const;

  std::vector<std::int32_t> parents_;  ///< whose forward matrix comes first, or -1
  std::vector<std::uint32_t> order_;   ///< parents before children; without bones in circles
  std::vector<Matrix> rest_;           ///< orientation controls
  std::vector<Matrix> inverses_;       ///< orientationInverse
  std::vector<Matrix> rest_forward_;
  std::vector<Matrix> forward_;  ///< of the frame being computed
};

}  // namespace lockline::emu
