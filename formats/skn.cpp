#include "formats/skn.hpp"

#include "formats/sections.hpp"

namespace lockline {

namespace {

constexpr const char* wild_read = "so the game would skin from memory that is not the model's";

/// Two arrays behind one pointer: vertex_offset bytes, then the vertices. Both or none.
template <class Entry>
void read_source(Input& in, std::uint64_t skn_at, const Name& name, Entry& entry) {
  const std::uint64_t at = skn_at + entry.source;
  entry.source_at = static_cast<std::uint32_t>(at);
  const std::uint64_t bytes = entry.vertex_offset + std::uint64_t{entry.count} * vertex_stride;
  const std::uint8_t* const p = in.range(at, bytes, {name, wild_read});
  if (p == nullptr || !in.charge(bytes, at, name)) return;
  entry.prefix.resize(entry.vertex_offset);
  entry.vertices.resize(entry.count);
  FieldReader{p}(entry.prefix, entry.vertices);
}

template <class T>
std::uint32_t read_array(Input& in, std::uint64_t at, std::uint64_t count, std::vector<T>& values,
                         const Name& name) {
  in.array(at, count, values, {name, wild_read});
  return static_cast<std::uint32_t>(at);
}

void read_sk1(Input& in, Skn& skn) {
  const auto row = [](std::size_t i) {
    return Subject{{names::sk1, i}, "so the rest of the SK1 entries is unknown"};
  };
  const std::uint64_t base = skn.at;
  in.table(base + skn.sk1_pointer, skn.sk1_count, skn.sk1, row);
  for (std::size_t i = 0; i < skn.sk1.size(); ++i) read_source(in, base, {names::sk1_source, i}, skn.sk1[i]);
}

void read_sk2(Input& in, Skn& skn) {
  const auto row = [](std::size_t i) {
    return Subject{{names::sk2, i}, "so the rest of the SK2 entries is unknown"};
  };
  const std::uint64_t base = skn.at;
  in.table(base + skn.sk2_pointer, skn.sk2_count, skn.sk2, row);
  for (std::size_t i = 0; i < skn.sk2.size(); ++i) {
    Sk2Entry& e = skn.sk2[i];
    read_source(in, base, {names::sk2_source, i}, e);
    e.weights_at = read_array(in, base + e.weights_pointer, e.count, e.weights, {names::sk2_weights, i});
  }
}

void read_acc(Input& in, Skn& skn) {
  const auto row = [](std::size_t i) {
    return Subject{{names::acc, i}, "so the rest of the SKAcc entries is unknown"};
  };
  const std::uint64_t base = skn.at;
  in.table(base + skn.acc_pointer, skn.acc_count, skn.acc, row);
  for (std::size_t i = 0; i < skn.acc.size(); ++i) {
    SkAccEntry& e = skn.acc[i];
    e.source_at = read_array(in, base + e.source, e.count, e.vertices, {names::acc_source, i});
    e.indices_at = read_array(in, base + e.indices_pointer, e.count, e.indices, {names::acc_indices, i});
    e.weights_at = read_array(in, base + e.weights_pointer, e.count, e.weights, {names::acc_weights, i});
  }
}

}  // namespace

std::optional<Skn> read_skn(Input& in, SectionRange section) {
  Skn skn;
  skn.at = section.at;
  skn.size = section.size;
  if (!in.structure(skn.at, skn, {{names::skn_header}, "so how the model is skinned is unknown"}))
    return std::nullopt;
  read_sk1(in, skn);
  read_sk2(in, skn);
  read_acc(in, skn);
  skn.flush_at =
      read_array(in, std::uint64_t{skn.at} + skn.flush_pointer, skn.flush_count, skn.flush, {names::flush});
  return skn;
}

}  // namespace lockline
