#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

/// Private. The names of a block's and an animation bank's structures, in one place: the structure map and
/// the problems of the parser use the same.
namespace lockline {

/// A pattern and its numbers. Cheap to make; text() is for the few who print it.
struct Name {
  const char* pattern;
  std::size_t first = 0, second = 0, third = 0;

  std::string text() const { return fmt::format(fmt::runtime(pattern), first, second, third); }
};

namespace names {

inline constexpr const char block_header[] = "block header";
inline constexpr const char gap[] = "gap";

inline constexpr const char gpl_header[] = "GPL / header";
inline constexpr const char gpl_user_data[] = "GPL / user data";
inline constexpr const char descriptor[] = "GPL / submesh {} / descriptor";
inline constexpr const char submesh_name[] = "GPL / submesh {} / name";
inline constexpr const char layout[] = "GPL / submesh {} / layout";
inline constexpr const char position_header[] = "GPL / submesh {} / position header";
inline constexpr const char positions[] = "GPL / submesh {} / positions";
inline constexpr const char colour_header[] = "GPL / submesh {} / colour header";
inline constexpr const char colours[] = "GPL / submesh {} / colours";
inline constexpr const char uv_header[] = "GPL / submesh {} / UV {} header";
inline constexpr const char uvs[] = "GPL / submesh {} / UV {}";
inline constexpr const char palette_name[] = "GPL / submesh {} / UV {} palette name";
inline constexpr const char lighting_header[] = "GPL / submesh {} / lighting header";
inline constexpr const char normals[] = "GPL / submesh {} / normals";
inline constexpr const char display_header[] = "GPL / submesh {} / display header";
inline constexpr const char display_state[] = "GPL / submesh {} / display state {}";
inline constexpr const char primitive_list[] = "GPL / submesh {} / primitive list {}";

inline constexpr const char act_header[] = "ACT / header";
inline constexpr const char geo_name[] = "ACT / geo name";
inline constexpr const char bone[] = "ACT / bone {}";
inline constexpr const char bone_control[] = "ACT / bone {} / control";
inline constexpr const char user_data[] = "ACT / user data {}";
inline constexpr const char user_data_content[] = "ACT / user data {} / content";

inline constexpr const char skn_header[] = "SKN / header";
inline constexpr const char sk1[] = "SKN / SK1[{}]";
inline constexpr const char sk1_source[] = "SKN / SK1[{}] / source";
inline constexpr const char sk2[] = "SKN / SK2[{}]";
inline constexpr const char sk2_source[] = "SKN / SK2[{}] / source";
inline constexpr const char sk2_weights[] = "SKN / SK2[{}] / weights";
inline constexpr const char acc[] = "SKN / SKAcc[{}]";
inline constexpr const char acc_source[] = "SKN / SKAcc[{}] / source";
inline constexpr const char acc_indices[] = "SKN / SKAcc[{}] / indices";
inline constexpr const char acc_weights[] = "SKN / SKAcc[{}] / weights";
inline constexpr const char flush[] = "SKN / flush";

inline constexpr const char facial_header[] = "facial / header";
inline constexpr const char facial_type[] = "facial / type {}";
inline constexpr const char facial_object[] = "facial / object {}";
inline constexpr const char attribute[] = "facial / object {} / attribute {}";
inline constexpr const char runs[] = "facial / object {} / attribute {} / runs";
inline constexpr const char pose[] = "facial / object {} / attribute {} / pose {}";

inline constexpr const char tex[] = "TEX";
inline constexpr const char texture[] = "TEX / texture {}";
inline constexpr const char ptr6[] = "ptr6";
inline constexpr const char ptr8[] = "ptr8";

inline constexpr const char anm_header[] = "ANM / header";
inline constexpr const char anm_user_data[] = "ANM / user data";
inline constexpr const char sequence[] = "ANM / sequence {}";
inline constexpr const char sequence_name[] = "ANM / sequence {} / name";
inline constexpr const char track[] = "ANM / sequence {} / track {}";
inline constexpr const char key[] = "ANM / sequence {} / track {} / key {}";
inline constexpr const char key_setting[] = "ANM / sequence {} / track {} / key {} / setting";
inline constexpr const char key_controls[] = "ANM / sequence {} / track {} / key {} / interpolation";

}  // namespace names
}  // namespace lockline
