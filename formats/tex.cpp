#include "formats/sections.hpp"

namespace lockline {

namespace {

constexpr std::uint32_t tpl_magic = 0x0020AF30;
constexpr std::uint32_t tpl_header = 12;      // magic, count, image table
constexpr std::uint32_t image_table_row = 8;  // image header, palette header
constexpr std::uint32_t image_header = 12;    // the fields read here: height, width, format, data

void read_image_header(Input& in, const Tex& tex, std::size_t i, TextureDescriptor& texture) {
  const std::uint8_t* const p =
      in.range(std::uint64_t{tex.content.at} + texture.image_pointer, image_header,
               {{names::texture, i}, "so the texture's size and format are unknown"});
  if (p != nullptr) FieldReader{p}(texture.height, texture.width, texture.format, texture.data_pointer);
}

void read_descriptors(Input& in, Tex& tex) {
  const std::vector<std::uint8_t>& bytes = tex.content.bytes;
  if (bytes.size() < tpl_header || load_be<std::uint32_t>(bytes.data()) != tpl_magic) return;
  const auto count = load_be<std::uint32_t>(bytes.data() + 4);
  const std::uint64_t table = std::uint64_t{tex.content.at} + load_be<std::uint32_t>(bytes.data() + 8);
  const auto row = [](std::size_t i) {
    return Subject{{names::texture, i}, "so the rest of the textures is unknown"};
  };
  const std::uint64_t rows = in.rows(table, count, image_table_row, sizeof(TextureDescriptor), row);
  tex.descriptors.resize(rows);
  for (std::uint64_t i = 0; i < rows; ++i) {
    TextureDescriptor& texture = tex.descriptors[i];
    texture.at = static_cast<std::uint32_t>(table + i * image_table_row);
    FieldReader{in.range(texture.at, image_table_row, row(i))}(texture.image_pointer,
                                                               texture.palette_pointer);
    if (texture.image_pointer != 0) read_image_header(in, tex, i, texture);
  }
}

}  // namespace

std::optional<Tex> read_tex(Input& in, SectionRange section) {
  Tex tex;
  tex.content.at = section.at;
  in.array(section.at, section.size, tex.content.bytes, {{names::tex}, "so the textures are unknown"});
  read_descriptors(in, tex);
  return tex;
}

}  // namespace lockline
