#include "formats/gpl.hpp"

#include "formats/sections.hpp"

namespace lockline {

namespace {

/// The numbers of a position, UV or lighting array; monostate when the format is unknown or the array leaves
/// the block.
Components read_components(Input& in, const ArrayHeader& header, std::uint64_t at, const Name& header_name,
                           const Name& data_name) {
  const auto type = component_type(header.quantization, header.at, header_name.text().c_str());
  if (!type) {
    in.problem(type.error());
    return {};
  }
  const std::uint64_t count = std::uint64_t{header.count} * header.components;
  const Subject subject{data_name, "so the game would draw from memory that is not the model's"};
  const auto read = [&]<class T>(std::vector<T> values) {
    return in.array(at, count, values, subject) ? Components{std::move(values)} : Components{};
  };
  switch (*type) {
    case ComponentType::s16:
      return read(std::vector<std::int16_t>{});
    case ComponentType::u16:
      return read(std::vector<std::uint16_t>{});
    case ComponentType::f32:
      break;
  }
  return read(std::vector<float>{});
}

std::vector<std::uint32_t> read_colours(Input& in, const ArrayHeader& header, std::uint64_t at,
                                        std::size_t submesh) {
  const auto width =
      colour_size(header.quantization, header.at, Name{names::colour_header, submesh}.text().c_str());
  if (!width) {
    in.problem(width.error());
    return {};
  }
  const Name name{names::colours, submesh};
  const std::uint8_t* p = in.range(at, std::uint64_t{header.count} * *width,
                                   {name, "so the game would take colours from other memory"});
  if (p == nullptr || !in.charge(header.count * sizeof(std::uint32_t), at, name)) return {};
  std::vector<std::uint32_t> packed(header.count);
  for (std::uint32_t& colour : packed) {
    for (std::uint32_t i = 0; i < *width; ++i) colour = colour << 8 | *p++;
  }
  return packed;
}

/// Where an array's data is. False when the header names none: an empty array, or a null pointer (which is a
/// problem).
bool locate(Input& in, const Layout& layout, const ArrayHeader& header, const Name& name,
            std::uint32_t& data_at) {
  data_at = layout.at + header.data;
  if (header.data != 0 || header.count == 0) return true;
  in.problem(ErrorCode::missing, header.at, name,
             fmt::format("counts {} elements but its data pointer is 0, so the game would read address 0",
                         header.count));
  return false;
}

template <class Array>
bool read_header(Input& in, std::uint64_t at, Array& array, const Name& name) {
  array.header.at = static_cast<std::uint32_t>(at);
  return in.structure(at, array, {name, "so its array is unknown and the game would follow a wild pointer"});
}

/// A position, UV or lighting array behind its header.
template <class Array>
std::optional<Array> read_array(Input& in, const Layout& layout, std::uint64_t at, const Name& header_name,
                                const Name& data_name) {
  Array array;
  if (!read_header(in, at, array, header_name)) return std::nullopt;
  if (locate(in, layout, array.header, header_name, array.data_at)) {
    array.values = read_components(in, array.header, std::uint64_t{layout.at} + array.header.data,
                                   header_name, data_name);
  }
  return array;
}

std::optional<ColourArray> read_colour_array(Input& in, const Layout& layout, std::size_t submesh) {
  const Name name{names::colour_header, submesh};
  ColourArray array;
  if (!read_header(in, std::uint64_t{layout.at} + layout.colour_pointer, array, name)) return std::nullopt;
  if (locate(in, layout, array.header, name, array.data_at)) {
    array.packed = read_colours(in, array.header, std::uint64_t{layout.at} + array.header.data, submesh);
  }
  return array;
}

void read_uvs(Input& in, std::size_t submesh, Layout& layout) {
  const std::uint64_t at = std::uint64_t{layout.at} + layout.uv_pointer;
  const auto row = [&](std::size_t i) {
    return Subject{{names::uv_header, submesh, i}, "so the channel is unknown"};
  };
  const std::uint64_t channels = in.rows(at, layout.uv_channels, fixed_size<UvArray>(), sizeof(UvArray), row);
  layout.uvs.reserve(channels);
  for (std::size_t i = 0; i < channels; ++i) {
    auto uv = read_array<UvArray>(in, layout, at + i * fixed_size<UvArray>(), {names::uv_header, submesh, i},
                                  {names::uvs, submesh, i});
    if (uv->palette_name_pointer != 0) {
      uv->palette_name =
          in.text(std::uint64_t{layout.at} + uv->palette_name_pointer,
                  {{names::palette_name, submesh, i}, "so the channel's texture file is unknown"});
    }
    layout.uvs.push_back(*std::move(uv));
  }
}

void read_display_header(Input& in, std::size_t submesh, Layout& layout) {
  DisplayHeader display;
  const std::uint64_t at = std::uint64_t{layout.at} + layout.display_pointer;
  const Subject subject{{names::display_header, submesh}, "so nothing of this submesh can be drawn"};
  if (!in.structure(at, display, subject)) return;
  display.at = static_cast<std::uint32_t>(at);
  read_display(in, layout, submesh, display);
  layout.display = std::move(display);
}

std::optional<Layout> read_layout(Input& in, std::uint64_t at, std::size_t submesh) {
  Layout layout;
  if (!in.structure(at, layout, {{names::layout, submesh}, "so the submesh has no arrays"}))
    return std::nullopt;
  layout.at = static_cast<std::uint32_t>(at);
  if (layout.position_pointer != 0) {
    layout.position =
        read_array<PositionArray>(in, layout, at + layout.position_pointer, {names::position_header, submesh},
                                  {names::positions, submesh});
  }
  if (layout.colour_pointer != 0) layout.colour = read_colour_array(in, layout, submesh);
  if (layout.uv_pointer != 0) read_uvs(in, submesh, layout);
  if (layout.lighting_pointer != 0) {
    layout.lighting = read_array<NormalArray>(in, layout, at + layout.lighting_pointer,
                                              {names::lighting_header, submesh}, {names::normals, submesh});
  }
  if (layout.display_pointer != 0) read_display_header(in, submesh, layout);
  return layout;
}

void read_submesh(Input& in, const Gpl& gpl, std::size_t i, Submesh& submesh) {
  if (submesh.layout_pointer != 0) {
    submesh.layout = read_layout(in, std::uint64_t{gpl.at} + submesh.layout_pointer, i);
  } else {
    in.problem(ErrorCode::missing, submesh.at, {names::descriptor, i},
               "has no layout, so the game would read address 0");
  }
  if (submesh.name_pointer != 0) {
    submesh.name = in.text(std::uint64_t{gpl.at} + submesh.name_pointer,
                           {{names::submesh_name, i}, "so the submesh has no name"});
  }
}

}  // namespace

std::size_t size(const Components& values) {
  return std::visit(
      [](const auto& v) -> std::size_t {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::monostate>) {
          return 0;
        } else {
          return v.size();
        }
      },
      values);
}

Expected<Gpl> read_gpl(Input& in, SectionRange section) {
  Gpl gpl;
  gpl.at = section.at;
  gpl.size = section.size;
  if (!contains(in.size(), section.at, fixed_size<Gpl>())) {
    return tl::unexpected(
        Error{ErrorCode::truncated, section.at, names::gpl_header,
              fmt::format("the meshes' header would lie at {:#x}, but the file ends at {:#x}; this is no "
                          "whole model block",
                          section.at, in.size())});
  }
  in.structure(section.at, gpl, {{names::gpl_header}, ""});
  if (gpl.magic != Gpl::magic_value) {
    return tl::unexpected(
        Error{ErrorCode::bad_magic, section.at, names::gpl_header,
              fmt::format("starts with {:#010x} instead of {:#010x}; this is no model block", gpl.magic,
                          Gpl::magic_value)});
  }
  if (gpl.user_pointer != 0) {
    in.array(std::uint64_t{gpl.at} + gpl.user_pointer, gpl.user_size, gpl.user_data,
             {{names::gpl_user_data}, "so the user data is unknown"});
  }
  const auto row = [](std::size_t i) {
    return Subject{{names::descriptor, i}, "so the rest of the submeshes is unknown"};
  };
  in.table(std::uint64_t{gpl.at} + gpl.descriptors_pointer, gpl.submesh_count, gpl.submeshes, row);
  for (std::size_t i = 0; i < gpl.submeshes.size(); ++i) read_submesh(in, gpl, i, gpl.submeshes[i]);
  return gpl;
}

}  // namespace lockline
