#include "emu/profile.hpp"

namespace lockline::emu {

const Profile* find_profile(std::string_view name) {
  for (const Profile* profile : profiles) {
    if (profile->name == name) return profile;
  }
  return nullptr;
}

}  // namespace lockline::emu
