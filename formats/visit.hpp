#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/fields.hpp"
#include "formats/names.hpp"
#include "formats/structure_map.hpp"

/// Private. The one traversal of a block or an animation bank: visit(file, v) calls
///   v(std::uint32_t at, StructureKind, const Name&, const auto&... parts)
/// for every structure that is present; its bytes are the parts, one after another, from `at` on. Gaps are
/// not visited.
namespace lockline {

namespace detail {

using Kind = StructureKind;

template <class V>
void visit_display(const DisplayHeader& display, std::size_t submesh, V& v) {
  v(display.at, Kind::display_header, Name{names::display_header, submesh}, display);
  std::size_t list = 0;
  for (std::size_t i = 0; i < display.states.size(); ++i) {
    const DisplayState& state = display.states[i];
    v(state.at, Kind::display_states, Name{names::display_state, submesh, i}, state);
    if (state.list)
      v(state.list->at, Kind::primitive_list, Name{names::primitive_list, submesh, list}, *state.list);
    if (state.list_pointer != 0) ++list;
  }
}

template <class V>
void visit_layout(const Layout& layout, std::size_t submesh, V& v) {
  v(layout.at, Kind::layout, Name{names::layout, submesh}, layout);
  if (layout.position) {
    v(layout.position->header.at, Kind::array_header, Name{names::position_header, submesh},
      *layout.position);
    v(layout.position->data_at, Kind::array_data, Name{names::positions, submesh}, layout.position->values);
  }
  if (layout.colour) {
    const auto width = colour_size(layout.colour->header.quantization, 0, "").value_or(0);
    v(layout.colour->header.at, Kind::array_header, Name{names::colour_header, submesh}, *layout.colour);
    v(layout.colour->data_at, Kind::array_data, Name{names::colours, submesh},
      Narrowed{layout.colour->packed, width});
  }
  for (std::size_t i = 0; i < layout.uvs.size(); ++i) {
    const UvArray& uv = layout.uvs[i];
    v(uv.header.at, Kind::array_header, Name{names::uv_header, submesh, i}, uv);
    v(uv.data_at, Kind::array_data, Name{names::uvs, submesh, i}, uv.values);
    if (uv.palette_name)
      v(uv.palette_name->at, Kind::text, Name{names::palette_name, submesh, i}, *uv.palette_name);
  }
  if (layout.lighting) {
    v(layout.lighting->header.at, Kind::array_header, Name{names::lighting_header, submesh},
      *layout.lighting);
    v(layout.lighting->data_at, Kind::array_data, Name{names::normals, submesh}, layout.lighting->values);
  }
  if (layout.display) visit_display(*layout.display, submesh, v);
}

template <class V>
void visit_gpl(const Gpl& gpl, V& v) {
  v(gpl.at, Kind::header, Name{names::gpl_header}, gpl);
  v(gpl.user_data_at(), Kind::user_data, Name{names::gpl_user_data}, gpl.user_data);
  for (std::size_t i = 0; i < gpl.submeshes.size(); ++i) {
    const Submesh& submesh = gpl.submeshes[i];
    v(submesh.at, Kind::header, Name{names::descriptor, i}, submesh);
    if (submesh.layout) visit_layout(*submesh.layout, i, v);
    if (submesh.name) v(submesh.name->at, Kind::text, Name{names::submesh_name, i}, *submesh.name);
  }
}

/// A control is named for the first bone that uses it.
template <class V>
void visit_controls(const Act& act, V& v) {
  std::vector<std::size_t> user(act.controls.size(), 0);
  for (std::size_t i = act.bones.size(); i-- > 0;) {
    if (const Control* control = act.control_of(act.bones[i])) user[control - act.controls.data()] = i;
  }
  for (std::size_t i = 0; i < act.controls.size(); ++i) {
    v(act.controls[i].at, Kind::control, Name{names::bone_control, user[i]}, act.controls[i]);
  }
}

template <class V>
void visit_act(const Act& act, V& v) {
  v(act.at, Kind::header, Name{names::act_header}, act);
  if (act.geo_name) v(act.geo_name->at, Kind::text, Name{names::geo_name}, *act.geo_name);
  for (std::size_t i = 0; i < act.bones.size(); ++i) {
    v(act.bones[i].at, Kind::bone, Name{names::bone, i}, act.bones[i]);
  }
  visit_controls(act, v);
  for (std::size_t i = 0; i < act.user_data.size(); ++i) {
    const UserData& user = act.user_data[i];
    v(user.at, Kind::user_data, Name{names::user_data, i}, user);
    std::visit(
        [&](const auto& data) {
          v(user.data_at, Kind::user_data, Name{names::user_data_content, i}, data);
        },
        user.data);
  }
}

template <class V>
void visit_skn(const Skn& skn, V& v) {
  v(skn.at, Kind::header, Name{names::skn_header}, skn);
  for (std::size_t i = 0; i < skn.sk1.size(); ++i) {
    const Sk1Entry& e = skn.sk1[i];
    v(e.at, Kind::skn_entry, Name{names::sk1, i}, e);
    v(e.source_at, Kind::source, Name{names::sk1_source, i}, e.prefix, e.vertices);
  }
  for (std::size_t i = 0; i < skn.sk2.size(); ++i) {
    const Sk2Entry& e = skn.sk2[i];
    v(e.at, Kind::skn_entry, Name{names::sk2, i}, e);
    v(e.source_at, Kind::source, Name{names::sk2_source, i}, e.prefix, e.vertices);
    v(e.weights_at, Kind::weights, Name{names::sk2_weights, i}, e.weights);
  }
  for (std::size_t i = 0; i < skn.acc.size(); ++i) {
    const SkAccEntry& e = skn.acc[i];
    v(e.at, Kind::skn_entry, Name{names::acc, i}, e);
    v(e.source_at, Kind::source, Name{names::acc_source, i}, e.vertices);
    v(e.indices_at, Kind::indices, Name{names::acc_indices, i}, e.indices);
    v(e.weights_at, Kind::weights, Name{names::acc_weights, i}, e.weights);
  }
  v(skn.flush_at, Kind::flush, Name{names::flush}, skn.flush);
}

template <class V>
void visit_facial(const Facial& facial, V& v) {
  v(facial.at, Kind::header, Name{names::facial_header}, facial);
  for (std::size_t i = 0; i < facial.types.size(); ++i) {
    v(facial.types[i].at, Kind::facial_record, Name{names::facial_type, i}, facial.types[i]);
  }
  for (std::size_t o = 0; o < facial.objects.size(); ++o) {
    const FacialObject& object = facial.objects[o];
    v(object.at, Kind::facial_record, Name{names::facial_object, o}, object);
    for (std::size_t i = 0; i < object.attributes.size(); ++i) {
      const FacialAttribute& attribute = object.attributes[i];
      v(attribute.at, Kind::facial_record, Name{names::attribute, o, i}, attribute);
      v(attribute.runs_at, Kind::run_list, Name{names::runs, o, i}, attribute.runs);
      const std::size_t poses = std::min(attribute.poses.size(), attribute.pose_pointers.size());
      for (std::size_t p = 0; p < poses; ++p) {
        v(attribute.pose_at(facial, p), Kind::pose, Name{names::pose, o, i, p},
          Narrowed{attribute.poses[p], attribute.component_bytes});
      }
    }
  }
}

template <class V>
void visit_track(const AnmTrack& track, std::size_t s, std::size_t t, V& v) {
  v(track.at, Kind::track, Name{names::track, s, t}, track);
  const KeyLayout layout(track);
  const NumberRuns setting = layout.setting(), controls = layout.controls();
  for (std::size_t k = 0; k < track.keyframes.size(); ++k) {
    const AnmKeyframe& key = track.keyframes[k];
    v(key.at, Kind::keyframe, Name{names::key, s, t, k}, key);
    v(key.setting_pointer, Kind::key_setting, Name{names::key_setting, s, t, k},
      KeyNumbers{key.setting, setting});
    v(key.interpolation_pointer, Kind::key_controls, Name{names::key_controls, s, t, k},
      KeyNumbers{key.interpolation, controls});
  }
}

}  // namespace detail

template <class V>
void visit(const Block& block, V&& v) {
  v(0, StructureKind::header, Name{names::block_header}, block.header);
  if (block.gpl) detail::visit_gpl(*block.gpl, v);
  if (block.act) detail::visit_act(*block.act, v);
  if (block.tex) v(block.tex->content.at, StructureKind::texture, Name{names::tex}, block.tex->content.bytes);
  if (block.skn) detail::visit_skn(*block.skn, v);
  if (block.ptr6) v(block.ptr6->at, StructureKind::opaque, Name{names::ptr6}, block.ptr6->bytes);
  if (block.facial) detail::visit_facial(*block.facial, v);
  if (block.ptr8) v(block.ptr8->at, StructureKind::opaque, Name{names::ptr8}, block.ptr8->bytes);
}

template <class V>
void visit(const Anm& anm, V&& v) {
  v(0, StructureKind::header, Name{names::anm_header}, anm);
  v(anm.user_pointer, StructureKind::user_data, Name{names::anm_user_data}, anm.user_data);
  for (std::size_t s = 0; s < anm.sequences.size(); ++s) {
    const AnmSequence& sequence = anm.sequences[s];
    v(sequence.at, StructureKind::sequence, Name{names::sequence, s}, sequence);
    if (sequence.name)
      v(sequence.name->at, StructureKind::text, Name{names::sequence_name, s}, *sequence.name);
    for (std::size_t t = 0; t < sequence.tracks.size(); ++t) detail::visit_track(sequence.tracks[t], s, t, v);
  }
}

}  // namespace lockline
