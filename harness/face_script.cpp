#include "harness/face_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "formats/random.hpp"

namespace lockline::harness {
namespace {

constexpr const char* structure = "face script";
constexpr std::uint32_t syllable_frames = 4;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expected<FaceScript> script() {
    FaceScript out;
    do {
      auto next = clause();
      if (!next) return tl::unexpected(next.error());
      out.clauses.push_back(std::move(*next));
    } while (take(';'));
    if (!at_end()) return refuse("expected ';' or the end");
    return out;
  }

 private:
  Expected<FaceClause> clause() {
    FaceClause out;
    if (!take('*')) {
      const auto object = whole(max_face_pose, "an object's number or '*'");
      if (!object) return tl::unexpected(object.error());
      out.object = *object;
    }
    if (!take('=')) return refuse("expected '='");
    auto action = this->action();
    if (!action) return tl::unexpected(action.error());
    out.action = std::move(*action);
    return out;
  }

  Expected<FaceAction> action() {
    if (take("blink")) return blink();
    if (take("talk")) return talk();
    return held();
  }

  Expected<FaceAction> blink() {
    BlinkingFace out;
    if (!take(':')) return out;
    const auto period = whole(~std::uint32_t{0}, "a period in frames");
    if (!period) return tl::unexpected(period.error());
    if (*period < min_blink_period) return refuse(fmt::format("a blink needs {} frames", min_blink_period));
    out.period = *period;
    if (!take(',')) return out;
    const auto pose = whole(max_face_pose, "a pose");
    if (!pose) return tl::unexpected(pose.error());
    out.pose = *pose;
    return out;
  }

  Expected<FaceAction> talk() {
    if (!take(':')) return TalkingFace{};
    return whole(~std::uint64_t{0}, "a seed").map([](std::uint64_t seed) -> FaceAction {
      return TalkingFace{seed};
    });
  }

  /// A pose, or a sum of weighted ones.
  Expected<FaceAction> held() {
    HeldFace out;
    do {
      const auto first = number();
      if (!first) return tl::unexpected(first.error());
      if (!take('*')) {
        if (!out.weights.empty()) return refuse("expected '*' and a pose after the weight");
        const bool pose = *first >= 0 && *first <= max_face_pose && std::trunc(*first) == *first;
        if (!pose) return refuse(fmt::format("{} is no pose: one of 0 to {}", *first, max_face_pose));
        out.weights.resize(static_cast<std::size_t>(*first) + 1);
        out.weights.back() = 1;
        return out;
      }
      if (!(std::abs(*first) <= max_face_weight))
        return refuse(fmt::format("a weight lies between {} and {}", -max_face_weight, max_face_weight));
      const auto pose = whole(max_face_pose, "a pose");
      if (!pose) return tl::unexpected(pose.error());
      if (out.weights.size() <= *pose) out.weights.resize(*pose + 1U);
      out.weights[*pose] = *first;
    } while (take('+'));
    return out;
  }

  template <class Number>
  Expected<Number> whole(Number limit, const char* what) {
    Number value = 0;
    blanks();
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) return refuse(fmt::format("expected {}", what));
    if (error != std::errc{} || value > limit) return refuse(fmt::format("{} is at most {}", what, limit));
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  Expected<float> number() {
    float value = 0;
    blanks();
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || !std::isfinite(value))
      return refuse("expected a pose, weights like 0.5*2, 'blink' or 'talk'");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  bool take(std::string_view word) {
    blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool take(char c) { return take(std::string_view(&c, 1)); }
  bool at_end() {
    blanks();
    return at_ == text_.size();
  }
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  tl::unexpected<Error> refuse(std::string message) const {
    return tl::unexpected(
        Error{ErrorCode::bad_value, static_cast<std::uint32_t>(at_), structure, std::move(message)});
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The highest pose an action names; 0 for one that takes what there is.
std::uint32_t highest_pose(const FaceAction& action) {
  if (const auto* held = std::get_if<HeldFace>(&action))
    return held->weights.empty() ? 0 : static_cast<std::uint32_t>(held->weights.size() - 1);
  if (const auto* blinking = std::get_if<BlinkingFace>(&action)) return blinking->pose;
  return 0;
}

/// The faces of an object that the actions write.
struct Face {
  std::uint32_t object, frame;
  std::uint16_t poses;
  std::vector<float>& weights;

  /// One pose alone; one that the object does not have leaves it at rest.
  void set(std::uint32_t pose, float weight) const {
    if (pose == 0 || pose >= poses) return;
    weights.resize(pose + 1U);
    weights[pose] = weight;
  }

  void operator()(const HeldFace& held) const {
    weights.assign(held.weights.begin(),
                   held.weights.begin() +
                       static_cast<std::ptrdiff_t>(std::min<std::size_t>(held.weights.size(), poses)));
  }

  void operator()(const BlinkingFace& blinking) const {
    const std::uint32_t moment = frame % blinking.period;
    if (moment >= 1 && moment <= 3) set(blinking.pose, moment == 2 ? 1.0F : 0.5F);
  }

  void operator()(const TalkingFace& talking) const {
    if (poses < 2) return;
    const std::uint64_t syllable = frame / syllable_frames;
    SplitMix64 random(talking.seed ^ (std::uint64_t{object} << 32 | syllable) * 0x9E3779B97F4A7C15ULL);
    const std::uint32_t pose = 1 + random.below(poses - 1U);
    const float weight = static_cast<float>(1 + random.below(4)) / 4;
    const std::uint32_t moment = frame % syllable_frames;
    const bool outer = moment == 0 || moment == syllable_frames - 1;
    set(pose, outer ? weight / 2 : weight);
  }
};

}  // namespace

Expected<FaceScript> parse_face_script(std::string_view text) {
  return Parser(text).script();
}

Expected<void> fits(const FaceScript& script, const Block& block) {
  const std::size_t objects = block.facial ? block.facial->objects.size() : 0;
  const auto refuse = [](std::string message) {
    return tl::unexpected(Error{ErrorCode::bad_value, 0, structure, std::move(message)});
  };
  for (const FaceClause& clause : script.clauses) {
    if (!clause.object) continue;
    if (*clause.object >= objects)
      return refuse(fmt::format("names facial object {}, the model has {}", *clause.object, objects));
    const std::uint16_t poses = block.facial->objects[*clause.object].pose_count;
    const std::uint32_t pose = highest_pose(clause.action);
    if (pose != 0 && pose >= poses)
      return refuse(
          fmt::format("names pose {} of facial object {}, which has {}", pose, *clause.object, poses));
  }
  return {};
}

void pose_faces(const FaceScript& script, const Facial& facial, std::uint32_t frame,
                emu::FacialPoses& faces) {
  faces.resize(facial.objects.size());
  for (std::uint32_t object = 0; object < faces.size(); ++object) {
    faces[object].weights.clear();
    const auto clause =
        std::find_if(script.clauses.rbegin(), script.clauses.rend(),
                     [&](const FaceClause& c) { return c.object.value_or(object) == object; });
    if (clause == script.clauses.rend()) continue;
    std::visit(Face{object, frame, facial.objects[object].pose_count, faces[object].weights}, clause->action);
  }
}

}  // namespace lockline::harness
