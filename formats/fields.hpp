#pragma once

#include <algorithm>
#include <string>
#include <variant>

#include "formats/anm_layout.hpp"
#include "formats/block.hpp"
#include "formats/codec.hpp"

/// Private. The one description of every structure's bytes, in file order; FieldReader, FieldWriter and
/// FieldSizer run it. Source: formats.md.
namespace lockline {

template <class IO, Is<Quantization> T>
constexpr void fields(IO& io, T& e) {
  io(e.raw);
}

template <class IO, Is<BlockHeader> T>
constexpr void fields(IO& io, T& e) {
  io(e.zero, e.gpl, e.act, e.tex, e.skn, e.ptr6, e.facial, e.ptr8);
}

// GPL

template <class IO, Is<Gpl> T>
constexpr void fields(IO& io, T& e) {
  io(e.magic, e.user_size, e.user_pointer, e.submesh_count, e.descriptors_pointer);
}

template <class IO, Is<Submesh> T>
constexpr void fields(IO& io, T& e) {
  io(e.layout_pointer, e.name_pointer);
}

template <class IO, Is<Layout> T>
constexpr void fields(IO& io, T& e) {
  io(e.position_pointer, e.colour_pointer, e.uv_pointer, e.lighting_pointer, e.display_pointer, e.uv_channels,
     e.pad);
}

template <class IO, Is<ArrayHeader> T>
constexpr void fields(IO& io, T& e) {
  io(e.data, e.count, e.quantization, e.components);
}

template <class IO, Is<PositionArray> T>
constexpr void fields(IO& io, T& e) {
  io(e.header);
}

template <class IO, Is<ColourArray> T>
constexpr void fields(IO& io, T& e) {
  io(e.header);
}

template <class IO, Is<UvArray> T>
constexpr void fields(IO& io, T& e) {
  io(e.header, e.palette_name_pointer, e.palette);
}

template <class IO, Is<NormalArray> T>
constexpr void fields(IO& io, T& e) {
  io(e.header, e.ambient);
}

template <class IO, Is<DisplayHeader> T>
constexpr void fields(IO& io, T& e) {
  io(e.primitive_data, e.states_pointer, e.state_count, e.pad);
}

template <class IO, Is<DisplayState> T>
constexpr void fields(IO& io, T& e) {
  io(e.type, e.parameters, e.setting, e.list_pointer, e.list_size);
}

// ACT

template <class IO, Is<Act> T>
constexpr void fields(IO& io, T& e) {
  io(e.magic, e.actor_id, e.bone_count, e.tree, e.root_pointer, e.geo_name_pointer, e.skin_file_id, e.pad,
     e.user_size, e.user_pointer);
}

template <class IO, Is<Bone> T>
constexpr void fields(IO& io, T& e) {
  io(e.control_pointer, e.previous, e.next, e.parent, e.child, e.geo_id, e.id, e.inheritance, e.draw_priority,
     e.pad);
}

template <class IO, Is<Control> T>
constexpr void fields(IO& io, T& e) {
  io(e.mask, e.pad, e.values);
}

template <class IO, Is<UserData> T>
constexpr void fields(IO& io, T& e) {
  io(e.size, e.kind, e.count, e.data_pointer);
}

template <class IO, Is<MirrorRole> T>
constexpr void fields(IO& io, T& e) {
  io(e.bone, e.role);
}

// SKN

template <class IO, Is<Skn> T>
constexpr void fields(IO& io, T& e) {
  io(e.sk1_count, e.sk2_count, e.acc_count, e.quantize_info, e.pad, e.sk1_pointer, e.sk2_pointer,
     e.acc_pointer, e.memclr_pointer, e.memclr_size, e.flush_pointer, e.flush_count);
}

template <class IO, Is<Sk1Entry> T>
constexpr void fields(IO& io, T& e) {
  io(e.matrix, e.source, e.destination, e.bone, e.count, e.vertex_offset, e.pad);
}

template <class IO, Is<Sk2Entry> T>
constexpr void fields(IO& io, T& e) {
  io(e.matrix1, e.matrix2, e.source, e.weights_pointer, e.destination, e.bone1, e.bone2, e.count,
     e.vertex_offset, e.pad);
}

template <class IO, Is<SkAccEntry> T>
constexpr void fields(IO& io, T& e) {
  io(e.matrix, e.source, e.indices_pointer, e.destination, e.weights_pointer, e.bone, e.count);
}

// Facial poses

template <class IO, Is<Facial> T>
constexpr void fields(IO& io, T& e) {
  io(e.max_poses, e.object_count, e.type_count, e.pad, e.objects_pointer, e.types_pointer, e.zero);
}

template <class IO, Is<FacialTypeDescriptor> T>
constexpr void fields(IO& io, T& e) {
  io(e.target, e.kind, e.format, e.runtime);
}

template <class IO, Is<FacialObject> T>
constexpr void fields(IO& io, T& e) {
  io(e.pose_count, e.attribute_count, e.record_size, e.attributes_pointer);
}

/// With the pose pointers: as many as the vector holds.
template <class IO, Is<FacialAttribute> T>
constexpr void fields(IO& io, T& e) {
  io(e.entries, e.target, e.kind, e.components, e.component_bytes, e.runs_pointer, e.pose_pointers);
}

template <class IO, Is<FacialRun> T>
constexpr void fields(IO& io, T& e) {
  io(e.first, e.length);
}

// ANM

template <class IO, Is<Anm> T>
constexpr void fields(IO& io, T& e) {
  io(e.version, e.sequences_pointer, e.bank_id, e.sequence_count, e.track_total, e.keyframe_total,
     e.user_size, e.user_pointer);
}

template <class IO, Is<AnmSequence> T>
constexpr void fields(IO& io, T& e) {
  io(e.name_pointer, e.tracks_pointer, e.track_count, e.pad);
}

template <class IO, Is<AnmTrack> T>
constexpr void fields(IO& io, T& e) {
  io(e.length, e.keyframes_pointer, e.keyframe_count, e.id, e.quantization, e.type, e.interpolation,
     e.replace_hierarchy);
}

template <class IO, Is<AnmKeyframe> T>
constexpr void fields(IO& io, T& e) {
  io(e.time, e.setting_pointer, e.interpolation_pointer);
}

// Content of varying size. Only written and measured; its readers are in the sections' files.

template <class IO, Is<CString> T>
constexpr void fields(IO& io, T& e) {
  for (const char c : e.text) io(static_cast<std::uint8_t>(c));
  io(std::uint8_t{0});
}

template <class IO>
void fields(IO& io, const Components& values) {
  std::visit(
      [&io](const auto& v) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(v)>, std::monostate>) io(v);
      },
      values);
}

template <class IO, Is<PrimitiveList> T>
void fields(IO& io, T& e) {
  for (const Primitive& primitive : e.primitives) {
    io(primitive.opcode, primitive.count);
    std::size_t column = 0;
    for (const std::uint16_t index : primitive.indices) {
      if (e.attributes[column].width == 1) {
        io(static_cast<std::uint8_t>(index));
      } else {
        io(index);
      }
      if (++column == e.attributes.size()) column = 0;
    }
  }
  io(e.tail);
}

template <class IO, Is<KeyNumbers> T>
void fields(IO& io, T& e) {
  std::size_t next = 0;
  for (const NumberRun& run : e.runs) {
    const std::size_t end = std::min(next + run.count, e.values.size());
    for (; next < end; ++next)
      with_number_type(run.type, [&]<class Number>(Number) { io(narrowed<Number>(e.values[next])); });
  }
}

}  // namespace lockline
