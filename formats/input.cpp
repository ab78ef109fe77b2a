#include "formats/input.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace lockline {

void Input::problem(Error error) {
  if (problems_.size() >= max_problems) return;
  problems_.push_back(std::move(error));
  if (problems_.size() < max_problems - 1) return;
  problems_.push_back({ErrorCode::too_large, 0, kind_.header,
                       fmt::format("more than {} problems; the rest is not listed", max_problems - 1)});
}

void Input::problem(ErrorCode code, std::uint64_t offset, const Name& name, std::string message) {
  if (problems_.size() >= max_problems) return;
  const std::uint64_t last = std::numeric_limits<std::uint32_t>::max();
  problem({code, static_cast<std::uint32_t>(std::min(offset, last)), name.text(), std::move(message)});
}

bool Input::charge(std::uint64_t decoded, std::uint64_t offset, const Name& name) {
  if (exhausted_) return false;
  if (decoded <= budget_) {
    budget_ -= decoded;
    return true;
  }
  exhausted_ = true;
  too_large(offset, name);
  return false;
}

void Input::too_large(std::uint64_t offset, const Name& name) {
  problem(ErrorCode::too_large, offset, name,
          fmt::format("decoding the section would take more than {} times the {}'s {} bytes: its counts "
                      "or pointers make "
                      "structures overlap many times; what begins here is left unread",
                      kind_.budget_factor, kind_.noun, size()));
}

const std::uint8_t* Input::range(std::uint64_t offset, std::uint64_t length, const Subject& subject) {
  if (contains(size(), offset, length)) return bytes_.data() + offset;
  if (problems_.size() >= max_problems) return nullptr;
  problem(offset < size() ? ErrorCode::truncated : ErrorCode::out_of_bounds, offset, subject.name,
          fmt::format("needs {} bytes at {:#x}, but the {} ends at {:#x}, {}", length, offset, kind_.noun,
                      size(), subject.consequence));
  return nullptr;
}

std::optional<CString> Input::text(std::uint64_t offset, const Subject& subject) {
  const std::uint8_t* const p = range(offset, 1, subject);
  if (p == nullptr || exhausted_) return std::nullopt;
  const std::uint64_t room = size() - offset;
  const auto* const end = static_cast<const std::uint8_t*>(std::memchr(p, 0, room));
  if (!charge(end != nullptr ? end - p : room, offset, subject.name)) return std::nullopt;
  if (end == nullptr) {
    problem(ErrorCode::truncated, offset, subject.name,
            fmt::format("has no terminating zero before the {}'s end, {}", kind_.noun, subject.consequence));
    return std::nullopt;
  }
  return CString{static_cast<std::uint32_t>(offset), std::string(p, end)};
}

}  // namespace lockline
