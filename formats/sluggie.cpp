#include "formats/sluggie.hpp"

#include <fmt/format.h>
#include <sodium.h>
#include <zlib.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "formats/block.hpp"
#include "formats/json_reader.hpp"

namespace lockline {
namespace {

using Json = nlohmann::json;
using Data = std::vector<std::uint8_t>;

tl::unexpected<Error> bad(std::string path, std::string message, ErrorCode code = ErrorCode::bad_value) {
  return tl::unexpected(Error{code, 0, std::move(path), std::move(message)});
}

Expected<Data> from_base64(std::string_view text, const std::string& path) {
  Data out(text.size() / 4 * 3 + 3);
  std::size_t size = 0;
  const char* end = nullptr;
  if (sodium_base642bin(out.data(), out.size(), text.data(), text.size(), " \r\n\t", &size, &end,
                        sodium_base64_VARIANT_ORIGINAL) != 0 ||
      end != text.data() + text.size())
    return bad(path, "is no base64");
  out.resize(size);
  return out;
}

Expected<Data> inflated(const Data& packed, const std::string& path) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return bad(path, "cannot be unpacked (zlib does not start)");
  stream.next_in = const_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  Data out, chunk(1U << 18);
  int state = Z_OK;
  while (state == Z_OK && out.size() <= max_block_bytes) {
    stream.next_out = chunk.data();
    stream.avail_out = static_cast<uInt>(chunk.size());
    state = inflate(&stream, Z_NO_FLUSH);
    const std::size_t got = chunk.size() - stream.avail_out;
    if (state == Z_OK && got == 0) break;  // the stream ends early
    out.insert(out.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(got));
  }
  inflateEnd(&stream);
  if (out.size() > max_block_bytes)
    return bad(path, fmt::format("unpacks to more than {} bytes", max_block_bytes), ErrorCode::too_large);
  if (state != Z_STREAM_END) return bad(path, "is a damaged zlib stream");
  return out;
}

Expected<Data> binary(const Json& value, const std::string& path) {
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    if (!text.starts_with("z:")) return from_base64(text, path);
    return from_base64(std::string_view(text).substr(2), path).and_then([&](const Data& packed) {
      return inflated(packed, path);
    });
  }
  if (!value.is_array()) return bad(path, "must be base64 or a list of byte values");
  if (value.size() > max_block_bytes) return bad(path, "is longer than a block can be", ErrorCode::too_large);
  Data out;
  for (const Json& byte : value) {
    if (!byte.is_number_unsigned() || byte.get<std::uint64_t>() > 255)
      return bad(path, fmt::format("has no byte value at {}", out.size()));
    out.push_back(static_cast<std::uint8_t>(byte.get<std::uint64_t>()));
  }
  return out;
}

/// "0x2a5" or "2a5", or a number.
template <class T>
Expected<T> number(const Json& value, const std::string& path) {
  if (value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>()))
    return static_cast<T>(value.get<std::uint64_t>());
  if (value.is_string()) {
    auto text = value.get<std::string>();
    if (text.starts_with("0x") || text.starts_with("0X")) text.erase(0, 2);
    T out{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
    if (error == std::errc() && end == text.data() + text.size()) return out;
  }
  return bad(path, "must be a hex string or a number");
}

template <class T, class Target>
std::optional<Error> read_number(const Json& object, const char* key, Target& target) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  const auto value = number<T>(*found, std::string("/SluggiesModel/") + key);
  if (!value) return value.error();
  target = *value;
  return std::nullopt;
}

}  // namespace

Expected<Sluggie> parse_sluggie(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return bad("", "is not JSON");
  const auto model = json.is_object() ? json.find("SluggiesModel") : json.end();
  if (!json.is_object() || model == json.end() || !model->is_object())
    return bad("/SluggiesModel", "is missing: this is no .sluggie file");
  Sluggie out;
  for (const auto& error : {read_number<std::uint64_t>(*model, "ModelOffset", out.offset),
                            read_number<std::uint32_t>(*model, "ModelLength", out.length),
                            read_number<std::uint32_t>(*model, "ChunkNumber", out.chunk),
                            read_number<std::uint32_t>(*model, "FileIndex", out.file)})
    if (error) return tl::unexpected(*error);
  const auto donor = model->find("DonorEntry");
  if (donor == model->end() || donor->is_null()) return out;
  if (!donor->is_object() || !donor->contains("Data")) return bad("/SluggiesModel/DonorEntry", "has no Data");
  auto data = binary((*donor)["Data"], "/SluggiesModel/DonorEntry/Data");
  if (!data) return tl::unexpected(data.error());
  out.donor = std::move(*data);
  return out;
}

}  // namespace lockline
