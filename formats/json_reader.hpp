#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "formats/error.hpp"

namespace lockline {

/// Reads the members of one JSON object into typed values without throwing. The first thing that is wrong is
/// kept with its JSON path; everything after it leaves the targets unchanged.
class JsonReader {
 public:
  using Json = nlohmann::json;

  JsonReader(const Json& object, std::string path, std::optional<Error>& error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (!object.is_object()) fail(path_, "must be an object");
  }

  /// Names that were never asked for are errors; call it last.
  void finish() const {
    if (!object_.is_object()) return;
    for (const auto& [key, value] : object_.items())
      if (!known_.contains(key)) fail(path_ + "/" + key, "is not known here");
  }

  /// An absent member leaves the target as it is.
  template <class T>
  void read(const char* key, T& target) {
    if (const Json* value = member(key)) convert(*value, path_ + "/" + key, target);
  }

  template <class T>
  void require(const char* key, T& target) {
    needs(key);
    read(key, target);
  }

  void needs(const char* key) const {
    if (object_.is_object() && !object_.contains(key)) fail(path_ + "/" + key, "is missing");
  }

  /// Whether a member is null, or absent; a null one then counts as known.
  bool is_null(const char* key) {
    const Json* value = member(key);
    return value == nullptr || value->is_null();
  }

  /// A list of objects: function(JsonReader&) makes one value.
  template <class T, class F>
  void read_list(const char* key, std::vector<T>& target, F function) {
    const Json* list = member(key);
    if (list == nullptr) return;
    const std::string path = path_ + "/" + key;
    if (!list->is_array()) return fail(path, "must be a list");
    for (std::size_t i = 0; i < list->size(); ++i) {
      JsonReader element((*list)[i], fmt::format("{}/{}", path, i), error_);
      target.push_back(function(element));
      element.finish();
    }
  }

  template <class F>
  void read_object(const char* key, F function) {
    const Json* value = member(key);
    if (value == nullptr) return;
    JsonReader element(*value, path_ + "/" + key, error_);
    function(element);
    element.finish();
  }

  /// The members not asked for so far, which from now on count as known.
  Json rest() {
    Json result = Json::object();
    if (!object_.is_object()) return result;
    for (const auto& [key, value] : object_.items())
      if (known_.insert(key).second) result[key] = value;
    return result;
  }

  void fail(const std::string& path, std::string_view problem) const {
    if (!error_) error_ = Error{ErrorCode::bad_value, 0, path, std::string(problem)};
  }

  const std::string& path() const { return path_; }

 private:
  const Json* member(const char* key) {
    known_.insert(key);
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  void convert(const Json& value, const std::string& path, bool& target) {
    if (!value.is_boolean()) return fail(path, "must be true or false");
    target = value.get<bool>();
  }

  void convert(const Json& value, const std::string& path, std::string& target) {
    if (!value.is_string()) return fail(path, "must be a string");
    target = value.get<std::string>();
  }

  template <std::integral T>
  void convert(const Json& value, const std::string& path, T& target) {
    using Limits = std::numeric_limits<T>;
    const auto in_range = [&](auto number) { return std::in_range<T>(number); };
    const bool fits = value.is_number_unsigned()
                          ? in_range(value.get<std::uint64_t>())
                          : value.is_number_integer() && in_range(value.get<std::int64_t>());
    if (!fits)
      return fail(path, fmt::format("must be an integer from {} to {}", Limits::min(), Limits::max()));
    target = value.is_number_unsigned() ? static_cast<T>(value.get<std::uint64_t>())
                                        : static_cast<T>(value.get<std::int64_t>());
  }

  template <class T>
  void convert(const Json& value, const std::string& path, std::optional<T>& target) {
    T inner{};
    convert(value, path, inner);
    target = inner;
  }

  template <class T>
  void convert(const Json& value, const std::string& path, std::vector<T>& target) {
    if (!value.is_array()) return fail(path, "must be a list");
    target.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
      T element{};
      convert(value[i], fmt::format("{}/{}", path, i), element);
      target.push_back(std::move(element));
    }
  }

  const Json& object_;
  std::string path_;
  std::optional<Error>& error_;
  std::set<std::string> known_;
};

}  // namespace lockline
