#include "corpus/break_fields.hpp"

#include <array>

namespace lockline::corpus {
namespace {

template <class T>
T* element(std::vector<T>& values, std::size_t i) {
  return i < values.size() ? &values[i] : nullptr;
}

template <class Section, class Entry>
Entry* entry(std::optional<Section>& section, std::vector<Entry> Section::*entries, std::size_t i) {
  return section ? element(*section.*entries, i) : nullptr;
}

template <class T, class Member>
Member* member(T* object, Member T::*which) {
  return object != nullptr ? &(object->*which) : nullptr;
}

template <class T>
T* value(std::optional<T>& optional) {
  return optional ? &*optional : nullptr;
}

Sk1Entry* sk1(Block& b, std::size_t i) {
  return entry(b.skn, &Skn::sk1, i);
}
Sk2Entry* sk2(Block& b, std::size_t i) {
  return entry(b.skn, &Skn::sk2, i);
}
SkAccEntry* acc(Block& b, std::size_t i) {
  return entry(b.skn, &Skn::acc, i);
}
Bone* bone(Block& b, std::size_t i) {
  return entry(b.act, &Act::bones, i);
}
Skn* skn(Block& b) {
  return value(b.skn);
}

Layout* layout(Block& b, std::size_t i) {
  Submesh* submesh = entry(b.gpl, &Gpl::submeshes, i);
  return submesh != nullptr ? value(submesh->layout) : nullptr;
}

ArrayHeader* position(Block& b, std::size_t i) {
  Layout* l = layout(b, i);
  return l != nullptr && l->position ? &l->position->header : nullptr;
}

/// The first display state of a submesh that has a list.
DisplayState* drawing_state(Block& b, std::size_t i) {
  Layout* l = layout(b, i);
  if (l == nullptr || !l->display) return nullptr;
  for (DisplayState& state : l->display->states)
    if (state.list) return &state;
  return nullptr;
}

Primitive* primitive(Block& b, std::size_t i) {
  DisplayState* state = drawing_state(b, i);
  return state != nullptr ? element(state->list->primitives, 0) : nullptr;
}

FacialObject* face(Block& b, std::size_t i) {
  return entry(b.facial, &Facial::objects, i);
}

FacialAttribute* attribute(Block& b, std::size_t i) {
  FacialObject* object = face(b, i);
  return object != nullptr ? element(object->attributes, 0) : nullptr;
}

FacialRun* run(Block& b, std::size_t i, std::size_t k) {
  FacialAttribute* a = attribute(b, i);
  return a != nullptr ? element(a->runs, k) : nullptr;
}

std::uint8_t* sk2_weight(Block& b, std::size_t i, std::size_t k, std::size_t which) {
  Sk2Entry* e = sk2(b, i);
  if (e == nullptr || k >= e->weights.size()) return nullptr;
  return &e->weights[k][which];
}

template <class Entry, class T>
T* listed(Entry* e, std::vector<T> Entry::*list, std::size_t k) {
  return e != nullptr ? element(e->*list, k) : nullptr;
}

using B = Block;
using N = std::size_t;
using F = FieldPointer;

constexpr std::array fields{
    FieldRow{"header.zero", "", "", [](B& b, N, N) { return F(&b.header.zero); }},
    FieldRow{"header.gpl", "", "", [](B& b, N, N) { return F(&b.header.gpl); }},
    FieldRow{"header.act", "", "", [](B& b, N, N) { return F(&b.header.act); }},
    FieldRow{"header.skn", "", "", [](B& b, N, N) { return F(&b.header.skn); }},
    FieldRow{"header.facial", "", "", [](B& b, N, N) { return F(&b.header.facial); }},
    FieldRow{"header.ptr6","","",[](B& b, N, N) { return F(&b.header.ptr6); }},
    FieldRow{"header.ptr8","","",[](B& b, N, N) { return F(&b.header.ptr8); }},
    FieldRow{"position.count", "submesh", "",
             [](B& b, N i, N) { return F(member(position(b, i), &ArrayHeader::count)); }},
    FieldRow{"position.components", "submesh", "",
             [](B& b, N i, N) { return F(member(position(b, i), &ArrayHeader::components)); }},
    FieldRow{"layout.colour", "submesh", "",
             [](B& b, N i, N) { return F(member(layout(b, i), &Layout::colour_pointer)); }},
    FieldRow{"primitive.count", "submesh", "",
             [](B& b, N i, N) { return F(member(primitive(b, i), &Primitive::count)); }},
    FieldRow{"primitive.index", "submesh", "place in its first primitive",
             [](B& b, N i, N k) { return F(listed(primitive(b, i), &Primitive::indices, k)); }},
    FieldRow{"bone.parent", "bone", "", [](B& b, N i, N) { return F(member(bone(b, i), &Bone::parent)); }},
    FieldRow{"bone.child", "bone", "", [](B& b, N i, N) { return F(member(bone(b, i), &Bone::child)); }},
    FieldRow{"bone.next", "bone", "", [](B& b, N i, N) { return F(member(bone(b, i), &Bone::next)); }},
    FieldRow{"bone.id", "bone", "", [](B& b, N i, N) { return F(member(bone(b, i), &Bone::id)); }},
    FieldRow{"bone.geo_id", "bone", "", [](B& b, N i, N) { return F(member(bone(b, i), &Bone::geo_id)); }},
    FieldRow{"act.bone_count", "", "", [](B& b, N, N) { return F(member(value(b.act), &Act::bone_count)); }},
    FieldRow{"skn.sk1_count","","",[](B& b, N, N) { return F(member(skn(b), &Skn::sk1_count)); }},
    FieldRow{"skn.sk2_count","","",[](B& b, N, N) { return F(member(skn(b), &Skn::sk2_count)); }},
    FieldRow{"skn.acc_count","","",[](B& b, N, N) { return F(member(skn(b), &Skn::acc_count)); }},
    FieldRow{"skn.quantize_info", "", "", [](B& b, N, N) { return F(member(skn(b), &Skn::quantize_info)); }},
    FieldRow{"skn.sk1_pointer", "", "", [](B& b, N, N) { return F(member(skn(b), &Skn::sk1_pointer)); }},
    FieldRow{"skn.acc_pointer", "", "", [](B& b, N, N) { return F(member(skn(b), &Skn::acc_pointer)); }},
    FieldRow{"skn.memclr_pointer", "", "",
             [](B& b, N, N) { return F(member(skn(b), &Skn::memclr_pointer)); }},
    FieldRow{"skn.memclr_size", "", "", [](B& b, N, N) { return F(member(skn(b), &Skn::memclr_size)); }},
    FieldRow{"skn.flush_count", "", "", [](B& b, N, N) { return F(member(skn(b), &Skn::flush_count)); }},
    FieldRow{"skn.flush_pointer", "", "", [](B& b, N, N) { return F(member(skn(b), &Skn::flush_pointer)); }},
    FieldRow{"flush.index", "", "place", [](B& b, N, N k) { return F(listed(skn(b), &Skn::flush, k)); }},
    FieldRow{"sk1.source", "entry", "", [](B& b, N i, N) { return F(member(sk1(b, i), &Sk1Entry::source)); }},
    FieldRow{"sk1.destination", "entry", "",
             [](B& b, N i, N) { return F(member(sk1(b, i), &Sk1Entry::destination)); }},
    FieldRow{"sk1.bone", "entry", "", [](B& b, N i, N) { return F(member(sk1(b, i), &Sk1Entry::bone)); }},
    FieldRow{"sk1.count", "entry", "", [](B& b, N i, N) { return F(member(sk1(b, i), &Sk1Entry::count)); }},
    FieldRow{"sk1.vertex_offset", "entry", "",
             [](B& b, N i, N) { return F(member(sk1(b, i), &Sk1Entry::vertex_offset)); }},
    FieldRow{"sk2.source", "entry", "", [](B& b, N i, N) { return F(member(sk2(b, i), &Sk2Entry::source)); }},
    FieldRow{"sk2.weights", "entry", "",
             [](B& b, N i, N) { return F(member(sk2(b, i), &Sk2Entry::weights_pointer)); }},
    FieldRow{"sk2.destination", "entry", "",
             [](B& b, N i, N) { return F(member(sk2(b, i), &Sk2Entry::destination)); }},
    FieldRow{"sk2.bone1", "entry", "", [](B& b, N i, N) { return F(member(sk2(b, i), &Sk2Entry::bone1)); }},
    FieldRow{"sk2.bone2", "entry", "", [](B& b, N i, N) { return F(member(sk2(b, i), &Sk2Entry::bone2)); }},
    FieldRow{"sk2.count", "entry", "", [](B& b, N i, N) { return F(member(sk2(b, i), &Sk2Entry::count)); }},
    FieldRow{"sk2.vertex_offset", "entry", "",
             [](B& b, N i, N) { return F(member(sk2(b, i), &Sk2Entry::vertex_offset)); }},
    FieldRow{"sk2.weight1", "entry", "vertex", [](B& b, N i, N k) { return F(sk2_weight(b, i, k, 0)); }},
    FieldRow{"sk2.weight2", "entry", "vertex", [](B& b, N i, N k) { return F(sk2_weight(b, i, k, 1)); }},
    FieldRow{"acc.source", "entry", "",
             [](B& b, N i, N) { return F(member(acc(b, i), &SkAccEntry::source)); }},
    FieldRow{"acc.indices", "entry", "",
             [](B& b, N i, N) { return F(member(acc(b, i), &SkAccEntry::indices_pointer)); }},
    FieldRow{"acc.weights", "entry", "",
             [](B& b, N i, N) { return F(member(acc(b, i), &SkAccEntry::weights_pointer)); }},
    FieldRow{"acc.destination", "entry", "",
             [](B& b, N i, N) { return F(member(acc(b, i), &SkAccEntry::destination)); }},
    FieldRow{"acc.bone", "entry", "", [](B& b, N i, N) { return F(member(acc(b, i), &SkAccEntry::bone)); }},
    FieldRow{"acc.count", "entry", "", [](B& b, N i, N) { return F(member(acc(b, i), &SkAccEntry::count)); }},
    FieldRow{"acc.index", "entry", "record",
             [](B& b, N i, N k) { return F(listed(acc(b, i), &SkAccEntry::indices, k)); }},
    FieldRow{"acc.weight", "entry", "record",
             [](B& b, N i, N k) { return F(listed(acc(b, i), &SkAccEntry::weights, k)); }},
    FieldRow{"face.entries", "object", "",
             [](B& b, N i, N) { return F(member(attribute(b, i), &FacialAttribute::entries)); }},
    FieldRow{"face.target", "object", "",
             [](B& b, N i, N) { return F(member(attribute(b, i), &FacialAttribute::target)); }},
    FieldRow{"face.kind", "object", "",
             [](B& b, N i, N) { return F(member(attribute(b, i), &FacialAttribute::kind)); }},
    FieldRow{"face.run.first", "object", "run",
             [](B& b, N i, N k) { return F(member(run(b, i, k), &FacialRun::first)); }},
    FieldRow{"face.run.length", "object", "run",
             [](B& b, N i, N k) { return F(member(run(b, i, k), &FacialRun::length)); }},
    FieldRow{"face.pose0", "object", "component of pose 0",
             [](B& b, N i, N k) {
               FacialAttribute* a = attribute(b, i);
               return F(a != nullptr && !a->poses.empty() ? element(a->poses[0], k) : nullptr);
             }},
};

template <class Entry>
ArrayPointers pair(Entry* e, std::uint32_t Entry::*pointer, std::uint32_t Entry::*at) {
  return {member(e, pointer), member(e, at)};
}

constexpr std::array arrays{
    ArrayRow{"sk1.source",
             [](B& b, N i) { return pair(sk1(b, i), &Sk1Entry::source, &Sk1Entry::source_at); }},
    ArrayRow{"sk2.source",
             [](B& b, N i) { return pair(sk2(b, i), &Sk2Entry::source, &Sk2Entry::source_at); }},
    ArrayRow{"sk2.weights",
             [](B& b, N i) { return pair(sk2(b, i), &Sk2Entry::weights_pointer, &Sk2Entry::weights_at); }},
    ArrayRow{"acc.source",
             [](B& b, N i) { return pair(acc(b, i), &SkAccEntry::source, &SkAccEntry::source_at); }},
    ArrayRow{
        "acc.indices",
        [](B& b, N i) { return pair(acc(b, i), &SkAccEntry::indices_pointer, &SkAccEntry::indices_at); }},
    ArrayRow{
        "acc.weights",
        [](B& b, N i) { return pair(acc(b, i), &SkAccEntry::weights_pointer, &SkAccEntry::weights_at); }},
    ArrayRow{"flush", [](B& b, N) { return pair(skn(b), &Skn::flush_pointer, &Skn::flush_at); }},
    ArrayRow{
        "list",
        [](B& b, N i) {
          DisplayState* state = drawing_state(b, i);
          return state == nullptr ? ArrayPointers{} : ArrayPointers{&state->list_pointer, &state->list->at};
        }},
};

}  // namespace

std::span<const FieldRow> field_rows() {
  return fields;
}

std::span<const ArrayRow> array_rows() {
  return arrays;
}

}  // namespace lockline::corpus
