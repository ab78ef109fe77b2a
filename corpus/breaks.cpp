#include "corpus/breaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "corpus/break_fields.hpp"
#include "formats/json_reader.hpp"
#include "formats/view.hpp"

namespace lockline::corpus {
namespace {

using Done = tl::expected<void, Error>;
using Json = nlohmann::json;

tl::unexpected<Error> missing(std::string message) {
  return tl::unexpected(Error{ErrorCode::missing, 0, "break", std::move(message)});
}

/// Reads a break's parameters with `function` and reports what is wrong with them.
template <class F>
Done read_parameters(const Json& parameters, F function) {
  std::optional<Error> error;
  JsonReader in(parameters, "", error);
  function(in);
  in.finish();
  if (error) return tl::unexpected(*error);
  return {};
}

template <class Rows>
auto row_named(const Rows& rows, std::string_view name) -> decltype(rows.data()) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

struct SetParameters {
  std::string field;
  std::size_t at = 0, element = 0;
  std::optional<std::int64_t> value;
  std::int64_t add = 0;
};

Done set_field(Block& block, const Json& json) {
  SetParameters p;
  auto read = read_parameters(json, [&](JsonReader& in) {
    in.require("field", p.field);
    in.read("at", p.at);
    in.read("element", p.element);
    in.read("value", p.value);
    in.read("add", p.add);
  });
  if (!read) return read;
  const FieldRow* row = row_named(field_rows(), p.field);
  if (row == nullptr) return missing(fmt::format("no field {}", p.field));
  return std::visit(
      [&](auto* target) -> Done {
        if (target == nullptr) return missing(fmt::format("the block has no {} at {}", p.field, p.at));
        *target = static_cast<std::remove_pointer_t<decltype(target)>>(p.value.value_or(*target) + p.add);
        return {};
      },
      row->locate(block, p.at, p.element));
}

struct MoveParameters {
  std::string array;
  std::size_t at = 0, count = 1;
  std::int32_t by = 0;
};

Done move_array(Block& block, const Json& json) {
  MoveParameters p;
  auto read = read_parameters(json, [&](JsonReader& in) {
    in.require("array", p.array);
    in.read("at", p.at);
    in.read("count", p.count);
    in.require("by", p.by);
  });
  if (!read) return read;
  const ArrayRow* row = row_named(array_rows(), p.array);
  if (row == nullptr) return missing(fmt::format("no array {}", p.array));
  for (std::size_t i = 0; i < p.count; ++i) {
    const auto [pointer, data] = row->locate(block, p.at + i);
    if (pointer == nullptr) return missing(fmt::format("the block has no {} at {}", p.array, p.at + i));
    *pointer += static_cast<std::uint32_t>(p.by);
    *data += static_cast<std::uint32_t>(p.by);
  }
  return {};
}

/// A source array of either kind, for breaks that treat them alike.
struct SourceView {
  std::uint32_t destination, bytes;
  std::uint32_t *source, *source_at;
};

std::vector<SourceView> sources_by_destination(Skn& skn) {
  std::vector<SourceView> views;
  const auto add = [&](auto& entries) {
    for (auto& e : entries) {
      views.push_back({e.destination, align_up(e.vertex_offset + e.count * vertex_stride, cache_line),
                       &e.source, &e.source_at});
    }
  };
  add(skn.sk1);
  add(skn.sk2);
  std::stable_sort(views.begin(), views.end(),
                   [](const SourceView& a, const SourceView& b) { return a.destination < b.destination; });
  return views;
}

Done repack_sources(Block& block, const Json& json) {
  if (auto read = read_parameters(json, [](JsonReader&) {}); !read) return read;
  if (!block.skn) return missing("the block has no SKN");
  std::uint32_t next = block.skn->variable_data_offset();
  for (const SourceView& view : sources_by_destination(*block.skn)) {
    *view.source = next;
    *view.source_at = block.skn->at + next;
    next += view.bytes;
  }
  return {};
}

Done drop_prefix(Block& block, const Json& json) {
  std::size_t at = 0;
  if (auto read = read_parameters(json, [&](JsonReader& in) { in.read("at", at); }); !read) return read;
  if (!block.skn || at >= block.skn->sk1.size()) return missing(fmt::format("the block has no SK1[{}]", at));
  block.skn->sk1[at].prefix.clear();
  return {};
}

/// Gives every record of a repeated destination the weight of its last one, as a tool does that keys weights
/// by vertex.
void lose_duplicates_of(SkAccEntry& entry) {
  for (std::size_t i = 0; i < entry.weights.size(); ++i) {
    for (std::size_t k = i + 1; k < entry.weights.size(); ++k)
      if (entry.indices[k] == entry.indices[i]) entry.weights[i] = entry.weights[k];
  }
}

Done lose_duplicates(Block& block, const Json& json) {
  if (auto read = read_parameters(json, [](JsonReader&) {}); !read) return read;
  if (!block.skn) return missing("the block has no SKN");
  for (SkAccEntry& entry : block.skn->acc) lose_duplicates_of(entry);
  return {};
}

Done reverse_runs(Block& block, const Json& json) {
  std::size_t at = 0;
  if (auto read = read_parameters(json, [&](JsonReader& in) { in.read("at", at); }); !read) return read;
  if (!block.facial || at >= block.facial->objects.size() || block.facial->objects[at].attributes.empty())
    return missing(fmt::format("the block has no facial object {}", at));
  auto& runs = block.facial->objects[at].attributes[0].runs;
  if (runs.size() > 1) std::reverse(runs.begin(), runs.end() - 1);
  return {};
}

/// Exchanges the places of two SK1 entries in their array.
Done swap_entries(Block& block, const Json& json) {
  std::size_t first = 0, second = 1;
  auto read = read_parameters(json, [&](JsonReader& in) {
    in.read("first", first);
    in.read("second", second);
  });
  if (!read) return read;
  if (!block.skn || std::max(first, second) >= block.skn->sk1.size())
    return missing("the block has fewer SK1 entries");
  std::swap(block.skn->sk1[first].at, block.skn->sk1[second].at);
  return {};
}

/// Raises every gplDestArr by some slots and lowers the indices by as many.
Done rebase_acc(Block& block, const Json& json) {
  std::uint16_t slots = 0;
  if (auto read = read_parameters(json, [&](JsonReader& in) { in.require("slots", slots); }); !read)
    return read;
  if (!block.skn) return missing("the block has no SKN");
  for (SkAccEntry& entry : block.skn->acc) {
    entry.destination += slots * vertex_stride;
    for (std::uint16_t& index : entry.indices) index = static_cast<std::uint16_t>(index - slots);
  }
  for (std::uint16_t& index : block.skn->flush) index = static_cast<std::uint16_t>(index - slots);
  return {};
}

Done cut_block(Block& block, const Json& json) {
  std::uint32_t bytes = 0;
  if (auto read = read_parameters(json, [&](JsonReader& in) { in.require("bytes", bytes); }); !read)
    return read;
  block.size -= std::min(bytes, block.size);
  return {};
}

constexpr std::array table{
    Break{"set",
          "Changes one number: \"field\" (see break_fields()), \"at\", \"element\", and \"value\" and/or "
          "\"add\".",
          set_field},
    Break{
        "move",
        "Moves \"count\" arrays from \"at\" on together with their pointers, \"by\" bytes: \"array\" is "
        "sk1.source, "
        "sk2.source, sk2.weights, acc.source, acc.indices, acc.weights, flush or list (the submesh's first).",
        move_array},
    Break{"repack-sources",
          "Puts the SK1 / SK2 sources back to back, without the hole lines of the position buffer "
          "(Luigi, 2026-09-16; Peach, 2026-08-10).",
          repack_sources},
    Break{"drop-prefix",
          "Writes SK1[\"at\"]'s source without the vertexOffset bytes before its first vertex.", drop_prefix},
    Break{"lose-duplicates",
          "Gives both records of a destination listed twice the second one's weight, as a tool does that "
          "keys weights by bone and vertex.",
          lose_duplicates},
    Break{"reverse-runs", "Reverses the run list of facial object \"at\", first attribute.", reverse_runs},
    Break{"swap-entries", "Exchanges the places of SK1[\"first\"] and SK1[\"second\"] in their array.",
          swap_entries},
    Break{
        "rebase-acc",
        "Raises every gplDestArr by \"slots\" vertices and lowers the indices (SKAcc and flush) by as many.",
        rebase_acc},
    Break{"cut", "Ends the block \"bytes\" early.", cut_block},
};

}  // namespace

std::span<const Break> breaks() {
  return table;
}

std::vector<BreakField> break_fields() {
  std::vector<BreakField> fields;
  for (const FieldRow& row : field_rows()) fields.push_back({row.name, row.at, row.element});
  return fields;
}

tl::expected<void, Error> apply_break(Block& block, const BreakRecipe& row) {
  const Break* found = row_named(std::span<const Break>(table), row.name);
  if (found == nullptr) return missing(fmt::format("no break is named {}", row.name));
  return found->apply(block, row.parameters);
}

}  // namespace lockline::corpus
