#include "formats/sections.hpp"

namespace lockline {

namespace {

constexpr std::uint8_t vertex_format_type = 3;

/// The attributes a type 3 setting switches on, in list order. Nothing, and a problem, when one is stored in
/// the list itself: its size there is not known.
std::vector<VertexAttribute> vertex_format(Input& in, const DisplayState& state, const Name& name) {
  std::vector<VertexAttribute> attributes;
  for (std::uint32_t i = 0; i < attribute_count; ++i) {
    const std::uint32_t mode = state.setting >> (2 + 2 * i) & 3;
    if (mode == 1) {
      in.problem(
          ErrorCode::bad_value, state.at, name,
          fmt::format(
              "vertex format {:#010x} stores attribute {} in the list itself, which no known model does, so "
              "the primitive lists it governs cannot be decoded",
              state.setting, i));
      return {};
    }
    if (mode != 0) attributes.push_back({static_cast<Attribute>(i), static_cast<std::uint8_t>(mode - 1)});
  }
  return attributes;
}

}  // namespace

void read_display(Input& in, const Layout& layout, std::size_t submesh, DisplayHeader& display) {
  const auto row = [&](std::size_t i) {
    return Subject{{names::display_state, submesh, i}, "so the rest of the submesh's drawing is unknown"};
  };
  in.table(std::uint64_t{layout.at} + display.states_pointer, display.state_count, display.states, row);

  std::vector<VertexAttribute> format;
  std::size_t list = 0;
  for (std::size_t i = 0; i < display.states.size(); ++i) {
    DisplayState& state = display.states[i];
    if (state.type == vertex_format_type) format = vertex_format(in, state, row(i).name);
    if (state.list_pointer == 0) continue;
    state.list = read_primitive_list(in, std::uint64_t{layout.at} + state.list_pointer, state.list_size,
                                     format, {names::primitive_list, submesh, list++});
  }
}

}  // namespace lockline
