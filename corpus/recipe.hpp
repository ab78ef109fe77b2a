#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/skin_layout.hpp"
#include "formats/error.hpp"

/// What to build: a model described in a few lines of JSON. The schema is in corpus/README.md; the members
/// below carry the JSON names and the defaults.
namespace lockline::corpus {

struct SkeletonRecipe {
  std::uint16_t bones = 8;  ///< 1..255
  std::uint16_t limb = 4;   ///< bones in a chain; each chain starts at bone 0
};

/// Vertices that are moved the same way; they take consecutive input numbers.
struct GroupRecipe {
  std::vector<std::uint16_t>
      bones;  ///< vanilla layout: the first (two) are written directly, the others by SKAcc
  std::vector<std::uint16_t> weights;  ///< 256ths, one per bone; empty: random per vertex (one bone: 256)
  std::uint32_t count = 0;
  bool accumulated = false;  ///< vanilla layout: SKAcc entries only
  bool unwritten = false;    ///< vanilla layout: no entry
  bool drawn = true;         ///< primitives use it
  bool stored =
      true;  ///< false: a slot past the stored array (scratch); only in the last groups, and not drawn
  std::uint32_t hole = 0;      ///< vanilla layout: unused cache lines after it
  std::int32_t extent = 4096;  ///< largest raw component
};

/// The skinned submesh.
struct BodyRecipe {
  std::vector<GroupRecipe> groups;
  std::uint8_t shift = 11;           ///< of positions and normals; SKN's quantize info too
  std::uint32_t colours = 2;         ///< 0: no colour array
  std::uint32_t uvs = 2;             ///< 0: no UV array
  std::uint32_t lists = 1;           ///< primitive lists the drawn vertices are divided into
  bool reserve = true;               ///< false: the next structure follows the stored positions directly
  std::uint32_t scratch = 0;         ///< with reserve false: bytes left free after the stored positions
  std::uint32_t position_shift = 0;  ///< bytes by which the position data is off its 32-byte boundary
};

struct SubmeshRecipe {
  std::string name = "rigid";
  std::uint32_t vertices = 12;
  std::optional<std::uint16_t> bone;  ///< whose GEO id names it; none: nothing owns it
  std::uint32_t normals = 0;
  std::uint32_t colours = 0;
  std::uint32_t uvs = 0;
  std::uint8_t shift = 11;
};

/// Some vertices of a group (skinned submesh) that a face moves.
struct FacePart {
  std::uint32_t group = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct FaceRecipe {
  std::uint16_t submesh = 0;
  std::uint16_t poses = 3;
  std::vector<FacePart> parts;  ///< submesh 0
  std::uint32_t vertices = 0;   ///< rigid submesh: the first so many positions
  std::uint32_t normals = 0;    ///< rigid submesh: the first so many normals; 0: no normal attribute
  std::optional<std::uint16_t> supplement;  ///< submesh 0: also a kind-0 attribute on all of this SKAcc entry
};

struct FacialRecipe {
  std::vector<FaceRecipe> objects;
  bool terminators = true;  ///< false: run lists end without their (0, 0) pair
};

/// A defect put in after the layout: a row of breaks() and its parameters.
struct BreakRecipe {
  std::string name;
  nlohmann::json parameters;
};

struct ExpectedFinding {
  std::string rule;
  std::string severity;   ///< "crash", "corrupt", "risk" or "note"
  std::string structure;  ///< as the structure map names it; empty: any
};

struct Recipe {
  std::string name;
  std::string description;  ///< one line
  std::uint64_t seed = 1;   ///< of the geometry
  bool canonical = true;    ///< "layout": "canonical" or "vanilla" (groups in their order)
  LayoutOptions options;    ///< "rules": limits the layout keeps to
  SkeletonRecipe skeleton;
  std::optional<BodyRecipe> body;
  std::vector<SubmeshRecipe> submeshes;  ///< rigid, from submesh 1 on (0 without a body)
  FacialRecipe facial;
  std::uint32_t textures = 0;  ///< 0: no TEX section
  bool extras = false;         ///< fill the ptr6 and ptr8 sections
  std::vector<BreakRecipe> breaks;
  /// What `lockline check` must say: exactly these at risk and above; notes listed here must be among its
  /// notes.
  std::vector<ExpectedFinding> expected;
  std::string dolphin;  ///< a line Dolphin's log must contain; empty: none is expected
  std::string pair;     ///< the recipe of the other level of detail; empty: none
  std::string donor;    ///< the recipe that stands for the unmodified model; empty: none
};

/// Reads a recipe. "base" names a bundled recipe whose document this one amends (RFC 7386 merge patch, except
/// that lists of breaks are appended; expected verdict and notes are not inherited). Errors: bad_value with
/// the JSON path ("/body/groups/2/count: ...") or the byte of a syntax error; unknown names are errors.
Expected<Recipe> read_recipe(std::string_view json);

}  // namespace lockline::corpus
