#include "harness/poses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "formats/random.hpp"
#include "harness/text.hpp"

namespace lockline::harness {
namespace {

/// Rotation by `angle` about (x, y, z), then a translation. Only + - x / and sqrt: the same bits everywhere.
Matrix turn_and_move(SplitMix64& random, double size) {
  double x = random.symmetric(), y = random.symmetric(), z = random.symmetric();
  const double length = std::sqrt(x * x + y * y + z * z);
  if (length < 1e-3) return emu::identity_matrix;
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

/// What a sequence is called in reports.
std::string title(const Anm& bank, std::uint32_t sequence) {
  const auto& name = bank.sequences[sequence].name;
  return name && !name->text.empty() ? printable(name->text) : fmt::format("sequence {}", sequence);
}

tl::unexpected<Error> refuse(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, 0, "poses", std::move(message)});
}

}  // namespace

Expected<PoseList> poses_of(const PoseSource& source, const Block& block) {
  auto stream = PoseStream::open(source, block);
  if (!stream) return tl::unexpected(stream.error());
  PoseList list{.poses = {}, .frames_per_pose = stream->frames_per_pose()};
  list.poses.reserve(stream->size());
  for (std::uint32_t i = 0; i < stream->size(); ++i) list.poses.push_back(stream->pose(i));
  return list;
}

Expected<std::uint32_t> find_sequence(const Anm& bank, std::string_view wanted) {
  std::string known;
  for (std::uint32_t i = 0; i < bank.sequences.size(); ++i) {
    if (bank.sequences[i].name && bank.sequences[i].name->text == wanted) return i;
    if (i < 32) known += fmt::format("{}{} {}", i == 0 ? "" : ", ", i, title(bank, i));
  }
  std::uint32_t number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  if (error == std::errc{} && stop == end && number < bank.sequences.size()) return number;
  return refuse(ErrorCode::missing,
                fmt::format("there is no sequence '{}'; the bank has {}: {}{}", printable(wanted),
                            bank.sequences.size(), known, bank.sequences.size() > 32 ? ", ..." : ""));
}

std::uint64_t frames_once_round(const AnmSequence& sequence, float speed) {
  float longest = 0;
  for (const AnmTrack& track : sequence.tracks) {
    if (track.length > longest) longest = track.length;
  }
  const double frames = std::ceil(static_cast<double>(longest) / static_cast<double>(speed));
  return frames < 0x1p63 ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(frames)) : 0;
}

Expected<PoseStream> PoseStream::open(const PoseSource& source, const Block& block) {
  PoseStream stream(source, block);
  Expected<void> opened;
  if (source.faces) opened = fits(*source.faces, block);
  if (!opened) return tl::unexpected(opened.error());
  if (source.animation) {
    opened = stream.open_animation();
  } else if (source.palette) {
    opened = stream.limit(source.frames.value_or(source.palette->frames));
  } else {
    stream.size_ = 1 + source.random_poses;
  }
  if (!opened) return tl::unexpected(opened.error());
  stream.pose_ = rest_pose(block);
  if (stream.player_)
    stream.pose_.matrices.resize(std::max(stream.pose_.matrices.size(), stream.player_->bones()),
                                 emu::identity_matrix);
  return stream;
}

Expected<void> PoseStream::open_animation() {
  const AnimationSource& a = *source_->animation;
  if (!block_->act || block_->act->bones.empty())
    return refuse(ErrorCode::missing, "the model has no bones that the animation could move");
  if (a.sequence >= a.bank->sequences.size())
    return refuse(ErrorCode::bad_value, fmt::format("the bank has no sequence {}", a.sequence));
  if (!(a.speed > 0) || !std::isfinite(a.speed))
    return refuse(ErrorCode::bad_value, "the speed must be a number above 0");
  const AnmSequence& sequence = a.bank->sequences[a.sequence];
  const std::uint64_t frames = source_->frames ? *source_->frames : frames_once_round(sequence, a.speed);
  if (auto fine = limit(frames); !fine) return fine;
  player_.emplace(*block_->act, sequence);
  sequence_ = title(*a.bank, a.sequence);
  return {};
}

Expected<void> PoseStream::limit(std::uint64_t frames) {
  const std::uint64_t bones = std::max<std::uint32_t>(1, bone_count(*block_));
  const std::uint64_t most = std::min<std::uint64_t>(max_pose_frames, max_pose_matrices / bones);
  if (frames == 0 || frames > most) {
    return refuse(ErrorCode::too_large,
                  fmt::format("the animation or palette goes on for {} frames, with {} bones at most {} are "
                              "run; choose how many",
                              frames == 0 ? "endless" : fmt::format("{}", frames), bones, most));
  }
  size_ = static_cast<std::uint32_t>(frames);
  return {};
}

/// Moves the player, and makes its frame the pose.
void PoseStream::play_to(std::uint32_t number) {
  if (number < played_) {
    player_->restart();
    played_ = 0;
  }
  for (; played_ < number; ++played_) player_->advance(source_->animation->speed);
  pose_.name.clear();
  fmt::format_to(std::back_inserter(pose_.name), "{} {}", sequence_, number);
  player_->skin_matrices(std::span(pose_.matrices).first(player_->bones()));
}

const Pose& PoseStream::pose(std::uint32_t number) {
  if (player_) {
    play_to(number);
  } else if (source_->palette) {
    const auto matrices = source_->palette->frame(number % source_->palette->frames);
    pose_.name = fmt::format("palette {}", number);
    pose_.matrices.assign(matrices.begin(), matrices.end());
  } else {
    pose_ = number == 0 ? rest_pose(*block_) : random_pose(*block_, source_->seed, number);
  }
  if (source_->faces && block_->facial) pose_faces(*source_->faces, *block_->facial, number, pose_.faces);
  return pose_;
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
  Pose pose{.name = "rest",
            .matrices = std::vector(bone_count(block), emu::identity_matrix),
            .faces = {},
            .invented = false};
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
