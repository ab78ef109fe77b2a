#include "tests/conformance/damage.hpp"

#include <algorithm>
#include <iterator>

#include "formats/block.hpp"

namespace lockline::conformance {
namespace {

/// The block's bytes and where its skinning structures are in them.
struct Target {
  Buffer& bytes;
  Block block;
  SplitMix64& random;

  const Skn& skn() const { return *block.skn; }
  template <BigEndian T>
  T get(std::uint32_t at) const {
    return contains(bytes.size(), at, sizeof(T)) ? load_be<T>(bytes.data() + at) : T{};
  }
  template <BigEndian T>
  void set(std::uint32_t at, T value) {
    if (contains(bytes.size(), at, sizeof(T))) store_be(bytes.data() + at, value);
  }
  bool one_in(std::uint32_t n) { return random.below(n) == 0; }
  template <class Entries>
  const auto& pick(const Entries& entries) {
    return entries[random.below(static_cast<std::uint32_t>(entries.size()))];
  }
};

/// Field offsets of an entry; 0 = it has none. Source: formats.md "SKN".
struct Fields {
  std::uint32_t source, destination, bone, second_bone, count, vertex_offset, weights, indices;
};
constexpr Fields sk1_fields{0x30, 0x34, 0x38, 0, 0x3A, 0x3C, 0, 0};
constexpr Fields sk2_fields{0x60, 0x68, 0x6C, 0x6E, 0x70, 0x72, 0x64, 0};
constexpr Fields acc_fields{0x30, 0x38, 0x40, 0, 0x42, 0, 0x3C, 0x34};

struct Entry {
  std::uint32_t at;
  const Fields* fields;
};

std::optional<Entry> random_entry(Target& t) {
  std::vector<Entry> all;
  for (const Sk1Entry& e : t.skn().sk1) all.push_back({e.at, &sk1_fields});
  for (const Sk2Entry& e : t.skn().sk2) all.push_back({e.at, &sk2_fields});
  for (const SkAccEntry& e : t.skn().acc) all.push_back({e.at, &acc_fields});
  if (all.empty()) return std::nullopt;
  return t.pick(all);
}

void change_count(Target& t, const Entry& e) {
  constexpr std::uint16_t limits[] = {2,   3,   340, 341, 342,  343,  344,  400,  680,  681,
                                      682, 683, 684, 700, 1023, 1024, 1025, 1400, 2048, 2731};
  const std::uint32_t at = e.at + e.fields->count;
  if (t.one_in(6)) return t.set<std::uint16_t>(at, static_cast<std::uint16_t>(t.random.below(2)));
  if (t.one_in(2)) return t.set(at, limits[t.random.below(std::size(limits))]);
  const std::int32_t count = t.get<std::uint16_t>(at) + t.random.around(20);
  t.set(at, static_cast<std::uint16_t>(std::max(2, count)));
}

void change_vertex_offset(Target& t, const Entry& e) {
  if (e.fields->vertex_offset == 0) return;
  // Words only: a pair across the end of the locked cache kills Dolphin's JIT (emu/README.md).
  t.set(e.at + e.fields->vertex_offset, static_cast<std::uint8_t>(4 * t.random.below(t.one_in(3) ? 64 : 6)));
}

/// Moves a pointer by a few bytes, vertices, lines or pages, or to where another entry points.
void move_pointer(Target& t, std::uint32_t at, std::uint32_t other) {
  constexpr std::int32_t units[] = {1, 2, 4, 12, 32, 32, 32, 256, 4096};
  const auto near = t.get<std::uint32_t>(t.one_in(4) ? other : at);
  const std::int32_t step = t.random.around(8) * units[t.random.below(std::size(units))];
  t.set(at, near + static_cast<std::uint32_t>(step));
}

void change_pointer(Target& t, const Entry& e, std::uint32_t Fields::*field) {
  if (e.fields->*field == 0) return;
  const auto other = random_entry(t);
  const bool alike = other && other->fields->*field != 0;
  move_pointer(t, e.at + e.fields->*field,
               alike ? other->at + other->fields->*field : e.at + e.fields->*field);
}

void change_bone(Target& t, const Entry& e) {
  const auto other = random_entry(t);
  t.set(e.at + e.fields->bone, t.get<std::uint16_t>(other->at + other->fields->bone));
  if (e.fields->second_bone != 0 && t.one_in(2))
    t.set(e.at + e.fields->second_bone, t.get<std::uint16_t>(other->at + other->fields->bone));
}

/// Overwrites some bytes of the array that a pointer leads to: indices, weights or vertices.
void change_data(Target& t, const Entry& e) {
  constexpr std::uint32_t Fields::*arrays[] = {&Fields::source, &Fields::weights, &Fields::indices};
  const std::uint32_t field = e.fields->*arrays[t.random.below(3)];
  if (field == 0) return;
  const std::uint32_t begin = t.skn().at + t.get<std::uint32_t>(e.at + field) + t.random.below(64);
  const std::uint32_t size = 1 + t.random.below(48);
  for (std::uint32_t i = 0; i < size; ++i)
    t.set(begin + i, static_cast<std::uint8_t>(t.one_in(4) ? 0xFF : t.random.below(256)));
}

void swap_entries(Target& t, const Entry& e) {
  const std::uint32_t size = e.fields == &sk1_fields   ? Sk1Entry::bytes
                             : e.fields == &sk2_fields ? Sk2Entry::bytes
                                                       : SkAccEntry::bytes;
  const auto other = random_entry(t);
  if (other->fields != e.fields || other->at == e.at) return;
  if (!contains(t.bytes.size(), e.at, size) || !contains(t.bytes.size(), other->at, size)) return;
  std::swap_ranges(t.bytes.begin() + e.at, t.bytes.begin() + e.at + size, t.bytes.begin() + other->at);
}

void damage_entry(Target& t) {
  const auto e = random_entry(t);
  if (!e) return;
  switch (t.random.below(10)) {
    case 0:
    case 1:
      return change_count(t, *e);
    case 2:
      return change_vertex_offset(t, *e);
    case 3:
    case 4:
      return change_pointer(t, *e, &Fields::destination);
    case 5:
      return change_pointer(t, *e, &Fields::source);
    case 6:
      return change_pointer(t, *e, t.one_in(2) ? &Fields::weights : &Fields::indices);
    case 7:
      return change_bone(t, *e);
    case 8:
      return swap_entries(t, *e);
    default:
      return change_data(t, *e);
  }
}

void damage_header(Target& t) {
  const std::uint32_t skn = t.skn().at;
  switch (t.random.below(6)) {
    case 0:
    case 1:
      return t.set(skn + 0x06, static_cast<std::uint8_t>(t.random.below(256)));
    case 2:
      return move_pointer(t, skn + 0x14, t.skn().sk1.empty() ? skn + 0x14 : t.skn().sk1[0].at + 0x34);
    case 3:
      return t.set(skn + 0x18, t.random.below(t.one_in(2) ? 0x100 : 0x3000));
    case 4: {  // one entry fewer of a kind
      const std::uint32_t at = skn + 2 * t.random.below(3);
      const auto count = t.get<std::uint16_t>(at);
      return t.set(at, static_cast<std::uint16_t>(count == 0 ? 0 : count - 1));
    }
    default: {  // all entries of a kind from the second on
      const std::uint32_t kind = t.random.below(3);
      const std::array<std::uint32_t, 3> size{Sk1Entry::bytes, Sk2Entry::bytes, SkAccEntry::bytes};
      const auto count = t.get<std::uint16_t>(skn + 2 * kind);
      if (count < 2) return;
      t.set(skn + 2 * kind, static_cast<std::uint16_t>(count - 1));
      return t.set(skn + 8 + 4 * kind, t.get<std::uint32_t>(skn + 8 + 4 * kind) + size[kind]);
    }
  }
}

}  // namespace

void damage(Buffer& bytes, SplitMix64& random) {
  auto block = parse_block(bytes);
  if (!block || !block->skn) return;
  Target target{bytes, std::move(*block), random};
  if (random.below(4) == 0) return damage_header(target);
  damage_entry(target);
}

}  // namespace lockline::conformance
