#include "corpus/recipe.hpp"

#include <array>

#include "corpus/bundled.hpp"
#include "formats/json_reader.hpp"

namespace lockline::corpus {
namespace {

using nlohmann::json;

constexpr std::uint32_t max_vertices = 65536;
constexpr int max_bases = 8;

GroupRecipe read_group(JsonReader& in) {
  GroupRecipe group;
  in.read("bones", group.bones);
  in.read("weights", group.weights);
  in.require("count", group.count);
  in.read("accumulated", group.accumulated);
  in.read("unwritten", group.unwritten);
  in.read("drawn", group.drawn);
  in.read("stored", group.stored);
  in.read("hole", group.hole);
  in.read("extent", group.extent);
  if (group.count > max_vertices) in.fail(in.path() + "/count", "must be at most 65536");
  if (group.hole > max_vertices) in.fail(in.path() + "/hole", "must be at most 65536");
  if (group.extent < 0 || group.extent > 32767) in.fail(in.path() + "/extent", "must be from 0 to 32767");
  if (group.bones.empty() && !group.unwritten) in.fail(in.path() + "/bones", "must name a bone");
  if (!group.weights.empty() && group.weights.size() != group.bones.size())
    in.fail(in.path() + "/weights", "must have one weight per bone");
  return group;
}

BodyRecipe read_body(JsonReader& in) {
  BodyRecipe body;
  in.read_list("groups", body.groups, read_group);
  in.read("shift", body.shift);
  in.read("colours", body.colours);
  in.read("uvs", body.uvs);
  in.read("lists", body.lists);
  in.read("reserve", body.reserve);
  in.read("scratch", body.scratch);
  in.read("position_shift", body.position_shift);
  if (body.shift > 15) in.fail(in.path() + "/shift", "must be at most 15");
  if (body.lists == 0 || body.lists > 64) in.fail(in.path() + "/lists", "must be from 1 to 64");
  if (body.colours > 256) in.fail(in.path() + "/colours", "must be at most 256");
  if (body.uvs > max_vertices) in.fail(in.path() + "/uvs", "must be at most 65536");
  if (body.scratch > 1U << 20) in.fail(in.path() + "/scratch", "must be at most 1048576");
  if (body.position_shift > 31) in.fail(in.path() + "/position_shift", "must be at most 31");
  return body;
}

SubmeshRecipe read_submesh(JsonReader& in) {
  SubmeshRecipe submesh;
  in.read("name", submesh.name);
  in.read("vertices", submesh.vertices);
  in.read("bone", submesh.bone);
  in.read("normals", submesh.normals);
  in.read("colours", submesh.colours);
  in.read("uvs", submesh.uvs);
  in.read("shift", submesh.shift);
  if (submesh.shift > 15) in.fail(in.path() + "/shift", "must be at most 15");
  if (submesh.colours > 256) in.fail(in.path() + "/colours", "must be at most 256");
  for (const std::uint32_t count : {submesh.vertices, submesh.normals, submesh.uvs})
    if (count >= max_vertices) in.fail(in.path(), "has more than 65535 vertices, normals or UVs");
  return submesh;
}

FaceRecipe read_face(JsonReader& in) {
  FaceRecipe face;
  in.read("submesh", face.submesh);
  in.read("poses", face.poses);
  in.read_list("parts", face.parts, [](JsonReader& part) {
    FacePart result;
    part.require("group", result.group);
    part.read("first", result.first);
    part.require("count", result.count);
    return result;
  });
  in.read("vertices", face.vertices);
  in.read("normals", face.normals);
  in.read("supplement", face.supplement);
  if (face.poses == 0 || face.poses > 256) in.fail(in.path() + "/poses", "must be from 1 to 256");
  if (face.submesh > 255) in.fail(in.path() + "/submesh", "must be at most 255");
  return face;
}

ExpectedFinding read_finding(JsonReader& in) {
  ExpectedFinding finding;
  in.require("rule", finding.rule);
  in.require("severity", finding.severity);
  in.read("structure", finding.structure);
  constexpr std::array<std::string_view, 4> known{"crash", "corrupt", "risk", "note"};
  if (std::find(known.begin(), known.end(), finding.severity) == known.end())
    in.fail(in.path() + "/severity", "must be crash, corrupt, risk or note");
  return finding;
}

void read_rules(JsonReader& in, LayoutOptions& options) {
  in.read("sk1_bytes", options.sk1_bytes);
  in.read("sk2_bytes", options.sk2_bytes);
  in.read("acc_vertices", options.acc_vertices);
  in.read("minimum", options.minimum);
  in.read("own_lines", options.own_lines);
  in.read("array_gap", options.array_gap);
  in.read("source_gap", options.source_gap);
  in.read("tail_gap", options.tail_gap);
  if (options.acc_vertices == 0 || options.acc_vertices > 65535)
    in.fail(in.path() + "/acc_vertices", "must be from 1 to 65535");
  if (options.minimum > 1024) in.fail(in.path() + "/minimum", "must be at most 1024");
  for (const std::uint32_t gap : {options.array_gap, options.source_gap, options.tail_gap})
    if (gap > 4096) in.fail(in.path(), "has a gap over 4096 bytes");
}

void read_layout(JsonReader& in, Recipe& recipe) {
  std::string layout = "canonical";
  in.read("layout", layout);
  if (layout != "canonical" && layout != "vanilla") in.fail("/layout", "must be canonical or vanilla");
  recipe.canonical = layout == "canonical";
  recipe.options.sort_acc = recipe.canonical;
  in.read_object("rules", [&](JsonReader& rules) { read_rules(rules, recipe.options); });
}

void read_verdict(JsonReader& in, Recipe& recipe) {
  in.read_list("expected", recipe.expected, read_finding);
  in.read("dolphin", recipe.dolphin);
  in.read("pair", recipe.pair);
  in.read("donor", recipe.donor);
}

Recipe read_members(JsonReader& in) {
  Recipe recipe;
  in.require("name", recipe.name);
  in.require("description", recipe.description);
  in.read("seed", recipe.seed);
  read_layout(in, recipe);
  in.read_object("skeleton", [&](JsonReader& skeleton) {
    skeleton.read("bones", recipe.skeleton.bones);
    skeleton.read("limb", recipe.skeleton.limb);
  });
  if (recipe.skeleton.bones == 0 || recipe.skeleton.bones > 255)
    in.fail("/skeleton/bones", "must be from 1 to 255");
  if (recipe.skeleton.limb == 0) in.fail("/skeleton/limb", "must be at least 1");
  in.read_object("body", [&](JsonReader& body) { recipe.body = read_body(body); });
  in.read_list("submeshes", recipe.submeshes, read_submesh);
  in.read_object("facial", [&](JsonReader& facial) {
    facial.read_list("objects", recipe.facial.objects, read_face);
    facial.read("terminators", recipe.facial.terminators);
  });
  in.read("textures", recipe.textures);
  if (recipe.textures > 64) in.fail("/textures", "must be at most 64");
  in.read("extras", recipe.extras);
  in.read_list("breaks", recipe.breaks, [](JsonReader& row) {
    BreakRecipe result;
    row.require("break", result.name);
    result.parameters = row.rest();
    return result;
  });
  read_verdict(in, recipe);
  return recipe;
}

Expected<json> parse_json(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& e) {
    return tl::unexpected(
        Error{ErrorCode::bad_value, static_cast<std::uint32_t>(e.byte), "recipe", std::string(e.what())});
  }
}

Error base_error(std::string message) {
  return {ErrorCode::missing, 0, "/base", std::move(message)};
}

/// The document with its bases merged in.
Expected<json> resolve(json document, int depth) {
  if (!document.is_object() || !document.contains("base")) return document;
  if (!document["base"].is_string()) return tl::unexpected(base_error("must be a string"));
  const auto name = document["base"].get<std::string>();
  const auto source = bundled_source(name);
  if (!source) return tl::unexpected(base_error("no bundled recipe is named " + name));
  if (depth == max_bases) return tl::unexpected(base_error("too many bases"));
  auto parsed = parse_json(*source);
  if (!parsed) return parsed;
  auto base = resolve(std::move(*parsed), depth + 1);
  if (!base) return base;
  for (const char* own : {"expected", "dolphin", "base"}) base->erase(own);
  document.erase("base");
  json breaks = base->value("breaks", json::array());
  if (document.contains("breaks") && document["breaks"].is_array())
    for (const json& row : document["breaks"]) breaks.push_back(row);
  base->merge_patch(document);
  if (!breaks.empty()) (*base)["breaks"] = std::move(breaks);
  return base;
}

}  // namespace

Expected<Recipe> read_recipe(std::string_view text) {
  auto document = parse_json(text);
  if (!document) return tl::unexpected(document.error());
  document = resolve(std::move(*document), 0);
  if (!document) return tl::unexpected(document.error());
  std::optional<Error> error;
  JsonReader in(*document, "", error);
  Recipe recipe = read_members(in);
  in.finish();
  if (error) return tl::unexpected(*error);
  return recipe;
}

}  // namespace lockline::corpus
