#include "emu/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockline::emu {

std::string_view name(Step step) {
  switch (step) {
    case Step::facial:
      return "facial";
    case Step::sk1:
      return "SK1";
    case Step::sk2:
      return "SK2";
    case Step::memclr:
      return "memClr";
    case Step::skacc:
      return "SKAcc";
  }
  return "";
}

std::string_view name(WriteKind kind) {
  switch (kind) {
    case WriteKind::pose:
      return "pose";
    case WriteKind::matrix:
      return "matrix";
    case WriteKind::write_back:
      return "write-back";
    case WriteKind::clear:
      return "clear";
    case WriteKind::accumulate:
      return "sum";
  }
  return "";
}

std::string to_string(const Author& author) {
  switch (author.step) {
    case Step::facial:
      return fmt::format("facial object {}", author.entry);
    case Step::memclr:
      return "memClr";
    default:
      return fmt::format("{}[{}] {}", name(author.step), author.entry, name(author.kind));
  }
}

const Write* Trace::last_writer(std::uint32_t begin, std::uint32_t end) const {
  const auto touches = [&](const Write& w) { return w.address < end && begin < w.end(); };
  const auto found = std::find_if(writes_.rbegin(), writes_.rend(), touches);
  return found == writes_.rend() ? nullptr : &*found;
}

}  // namespace lockline::emu
