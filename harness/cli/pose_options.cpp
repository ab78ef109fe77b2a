#include "harness/cli/pose_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace lockline::cli {
namespace {

bool read_animation(PoseArguments& a, Session& session) {
  const auto bytes = session.take(a.animation, read_file(a.animation, max_anm_bytes));
  if (!bytes) return false;
  auto bank = session.take(a.animation, parse_sound_anm(*bytes));
  if (!bank) return false;
  std::optional<std::uint32_t> sequence = 0;
  if (!a.sequence.empty()) sequence = session.take(a.animation, harness::find_sequence(*bank, a.sequence));
  if (!sequence) return false;
  a.source.animation = {std::make_shared<const Anm>(std::move(*bank)), *sequence, a.speed};
  return true;
}

bool read_palette(PoseArguments& a, Session& session) {
  const auto bytes = session.take(a.palette, read_file(a.palette, max_input_bytes));
  if (bytes) a.source.palette = session.take(a.palette, parse_palette(*bytes));
  return a.source.palette.has_value();
}

}  // namespace

Expected<Anm> parse_sound_anm(Bytes bytes) {
  return parse_anm(bytes).and_then([](Anm bank) -> Expected<Anm> {
    if (bank.problems.empty()) return bank;
    Error first = bank.problems.front();
    if (bank.problems.size() > 1) first.message += fmt::format(" (and {} more)", bank.problems.size() - 1);
    return tl::unexpected(std::move(first));
  });
}

void add_animation_options(CLI::App& command, PoseArguments& a) {
  auto* animation = command.add_option("--anim", a.animation, "Animation bank (ANM) whose frames to run")
                        ->type_name("FILE");
  command.add_option("--sequence", a.sequence, "Which sequence of the bank, by name or number")
      ->type_name("NAME")
      ->default_str("0")
      ->needs(animation);
  command.add_option("--speed", a.speed, "Key time per frame")
      ->check(CLI::PositiveNumber)
      ->type_name("S")
      ->default_str("1")
      ->needs(animation);
  command
      .add_option("--frames", a.frames,
                  "Frames to run; past its end a palette starts again, a track wraps by itself")
      ->check(CLI::Range(1U, harness::max_pose_frames))
      ->type_name("N")
      ->default_str("the palette's; the longest track once round");
}

void add_pose_options(CLI::App& command, PoseArguments& a) {
  add_animation_options(command, a);
  command
      .add_option("--palette", a.palette, "Bone matrices to run: u32 frames, u32 bones, then 3x4 floats each")
      ->type_name("FILE")
      ->excludes("--anim");
  command
      .add_option(
          "--face", a.faces,
          "What facial objects do, separated by ';': 0=2 (object 0, pose 2), 1=0.5*2+0.25*3 (weights), "
          "0=blink:PERIOD,POSE, 1=talk:SEED; * for every object")
      ->type_name("SCRIPT");
}

void add_random_pose_options(CLI::App& command, PoseArguments& a) {
  const auto instead_of_files = [](CLI::Option* option) {
    option->excludes("--palette")->excludes("--anim");
  };
  instead_of_files(
      command.add_option("--poses", a.source.random_poses, "Random poses to run after the rest pose")
          ->check(CLI::Range(0U, harness::max_pose_frames))
          ->type_name("N")
          ->default_str("8"));
  instead_of_files(command.add_option("--seed", a.source.seed, "What the random poses come from")
                       ->type_name("N")
                       ->default_str("1"));
}

bool read_poses(PoseArguments& a, Session& session) {
  if (!a.animation.empty() && !read_animation(a, session)) return false;
  if (!a.palette.empty() && !read_palette(a, session)) return false;
  if (a.frames != 0) a.source.frames = a.frames;
  if (a.frames != 0 && a.palette.empty() && a.animation.empty()) {
    session.fail("--frames", "needs --palette or --anim");
    return false;
  }
  if (!a.faces.empty()) {
    a.source.faces = session.take("--face", harness::parse_face_script(a.faces));
    return a.source.faces.has_value();
  }
  return true;
}

}  // namespace lockline::cli
