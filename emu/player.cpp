#include "emu/player.hpp"

#include <algorithm>
#include <unordered_map>

namespace lockline::emu {

Player::Player(const Act& act, const AnmSequence& sequence) : skeleton_(act), controls_(act.bones.size()) {
  std::unordered_map<std::uint16_t, std::vector<std::uint32_t>> movers;
  const std::vector<std::uint16_t> ids = bone_tracks(act);
  for (std::uint32_t bone = 0; bone < ids.size(); ++bone) {
    if (ids[bone] != no_track) movers[ids[bone]].push_back(bone);
  }
  for (const AnmTrack& track : sequence.tracks) {
    const auto found = movers.find(track.id);
    if (found == movers.end()) continue;
    tracks_.push_back({TrackMotion(track), std::move(found->second), 0});
    movers.erase(found);
  }
}

void Player::restart() {
  for (Track& track : tracks_) track.time = 0;
}

void Player::advance(float speed) {
  for (Track& track : tracks_) track.time = next_time(track.time, speed, track.motion.length());
}

void Player::skin_matrices(std::span<Matrix> skin) {
  for (const Track& track : tracks_) {
    const BoneControl moved{track.motion.at(track.time), track.motion.replaces_hierarchy()};
    for (const std::uint32_t bone : track.bones) controls_[bone] = moved;
  }
  skeleton_.skin_matrices(controls_, skin);
}

}  // namespace lockline::emu
