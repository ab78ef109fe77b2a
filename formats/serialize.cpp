#include <algorithm>

#include "formats/block.hpp"
#include "formats/visit.hpp"

namespace lockline {

namespace {

/// Writes parts one after another from `at` on; what leaves `out` is cut off.
template <class... Part>
void put(MutableBytes out, std::uint32_t at, const Part&... parts) {
  const std::uint64_t length = encoded_size(parts...);
  if (contains(out.size(), at, length)) {
    FieldWriter{out.data() + at}(parts...);
  } else if (at < out.size()) {
    std::vector<std::uint8_t> whole(length);
    FieldWriter{whole.data()}(parts...);
    std::copy_n(whole.begin(), out.size() - at, out.begin() + at);
  }
}

template <class File>
std::vector<std::uint8_t> write(const File& file) {
  std::vector<std::uint8_t> out(file.size);
  for (const Gap& gap : file.gaps) put(out, gap.at, gap.bytes);
  visit(file,
        [&](std::uint32_t at, StructureKind, const Name&, const auto&... parts) { put(out, at, parts...); });
  return out;
}

}  // namespace

std::vector<std::uint8_t> serialize(const Block& block) {
  return write(block);
}

std::vector<std::uint8_t> serialize(const Anm& anm) {
  return write(anm);
}

}  // namespace lockline
