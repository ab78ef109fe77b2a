#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace lockline::tests {

/// The part of JSON Schema (draft 2020-12) that this project's schemas use. "" when the value is valid, else
/// the path and what is wrong there. A keyword it does not know is an error too, so that none is skipped.
class JsonSchema {
 public:
  using Json = nlohmann::json;

  explicit JsonSchema(Json root) : root_(std::move(root)) {}

  std::string problem(const Json& value) const { return problem(root_, value, ""); }

 private:
  std::string problem(const Json& schema, const Json& value, const std::string& path) const {
    for (const auto& [keyword, argument] : schema.items()) {
      std::string found = apply(keyword, argument, value, path);
      if (!found.empty()) return found;
    }
    return "";
  }

  std::string apply(const std::string& keyword, const Json& argument, const Json& value,
                    const std::string& path) const {
    const auto fail = [&] { return path + ": " + keyword + " " + argument.dump() + ", not " + value.dump(); };
    const auto unless = [&](bool holds) { return holds ? std::string() : fail(); };
    if (keyword == "type") return unless(is_type(argument, value));
    if (keyword == "const") return unless(value == argument);
    if (keyword == "enum")
      return unless(std::find(argument.begin(), argument.end(), value) != argument.end());
    if (keyword == "minimum") return unless(!value.is_number() || value >= argument);
    if (keyword == "maximum") return unless(!value.is_number() || value <= argument);
    if (keyword == "required") return unless(has_all(argument, value));
    if (keyword == "$ref")
      return problem(root_.at(Json::json_pointer(argument.get<std::string>().substr(1))), value, path);
    if (keyword == "oneOf") return unless(matching(argument, value, path) == 1);
    if (keyword == "items") return items(argument, value, path);
    if (keyword == "properties") return properties(argument, value, path);
    const bool annotation = keyword == "description" || keyword == "title" || keyword == "$schema" ||
                            keyword == "$id" || keyword == "$defs";
    return annotation ? "" : path + ": unknown keyword " + keyword;
  }

  static bool is_type(const Json& names, const Json& value) {
    if (names.is_array())
      return std::any_of(names.begin(), names.end(), [&](const Json& n) { return is_type(n, value); });
    return (names == "object" && value.is_object()) || (names == "array" && value.is_array()) ||
           (names == "string" && value.is_string()) || (names == "boolean" && value.is_boolean()) ||
           (names == "null" && value.is_null()) || (names == "number" && value.is_number()) ||
           (names == "integer" && value.is_number_integer()) || (names == "number" && value.is_number());
  }
  static bool has_all(const Json& names, const Json& value) {
    return std::all_of(names.begin(), names.end(),
                       [&](const Json& n) { return value.contains(n.get<std::string>()); });
  }
  std::ptrdiff_t matching(const Json& schemas, const Json& value, const std::string& path) const {
    return std::count_if(schemas.begin(), schemas.end(),
                         [&](const Json& s) { return problem(s, value, path).empty(); });
  }
  std::string items(const Json& schema, const Json& value, const std::string& path) const {
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string found = problem(schema, value[i], path + "/" + std::to_string(i));
      if (!found.empty()) return found;
    }
    return "";
  }
  /// Stricter than JSON Schema: members that the schema does not name are refused, so that it stays complete.
  std::string properties(const Json& known, const Json& value, const std::string& path) const {
    if (!value.is_object()) return "";
    for (const auto& [name, member] : value.items()) {
      if (!known.contains(name)) return path + "/" + name + ": not in the schema";
      std::string found = problem(known.at(name), member, path + "/" + name);
      if (!found.empty()) return found;
    }
    return "";
  }

  Json root_;
};

}  // namespace lockline::tests
