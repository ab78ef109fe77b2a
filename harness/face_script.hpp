#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "emu/facial.hpp"
#include "formats/block.hpp"

/// What facial objects do, frame by frame, in a line that a user can type:
///
///     script = clause {";" clause}            clause = object "=" action        object = number | "*"
///     action = pose                           that pose, weight 1 (0: at rest)
///            | weight "*" pose {"+" weight "*" pose}
///            | "blink" [":" period ["," pose]]   closes for three frames of every period (90, pose 1)
///            | "talk" [":" seed]                 a new pose and weight every four frames (seed 1)
///
/// "1=0.5*2+0.25*3; 0=blink:60". Blanks do not matter. "*" is every object; of two clauses for an object the
/// later one counts; objects without one are at rest. The same frame number gives the same faces everywhere.
namespace lockline::harness {

/// weights[p] for pose p; element 0 is not used.
struct HeldFace {
  std::vector<float> weights;
};
/// Weights 0.5, 1 and 0.5 in the frames 1, 2 and 3 of every period, else at rest.
struct BlinkingFace {
  std::uint32_t period = 90;
  std::uint32_t pose = 1;
};
/// Syllables of four frames: a pose other than 0 and a quarter, half, three quarters or all of it; half of
/// that in the first and the last frame. From the seed, the object's number and the syllable's alone.
struct TalkingFace {
  std::uint64_t seed = 1;
};
using FaceAction = std::variant<HeldFace, BlinkingFace, TalkingFace>;

struct FaceClause {
  std::optional<std::uint32_t> object;  ///< nullopt: every one
  FaceAction action;
};
struct FaceScript {
  std::vector<FaceClause> clauses;
};

/// Bounds of what a script may hold: poses as many as a section can have, weights that keep sums finite, a
/// period with room for the blink.
inline constexpr std::uint32_t max_face_pose = 0xFFFF, min_blink_period = 4;
inline constexpr float max_face_weight = 1000;

/// Errors: bad_value, with the character (from 0) as offset.
Expected<FaceScript> parse_face_script(std::string_view text);

/// Errors: bad_value for an object or pose that a clause names by number and the model does not have. "*"
/// asks for nothing: objects without the pose stay at rest.
Expected<void> fits(const FaceScript& script, const Block& block);

/// The faces of frame `frame`, an element per object.
void pose_faces(const FaceScript& script, const Facial& facial, std::uint32_t frame, emu::FacialPoses& faces);

}  // namespace lockline::harness
