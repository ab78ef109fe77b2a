#pragma once

#include <cstdint>
#include <vector>

#include "formats/facial.hpp"
#include "formats/random.hpp"

namespace lockline::corpus {

/// One attribute of a facial object: which records of which array it moves, and their rest values.
struct FaceAttributeInput {
  std::uint8_t target = 0, kind = 0, components = 0, component_bytes = 0;
  std::vector<std::uint16_t> indices;  ///< ascending, each once
  std::vector<std::int16_t> rest;      ///< components per index
};

struct FaceObjectInput {
  std::uint16_t poses = 1;
  std::vector<FaceAttributeInput> attributes;
};

/// A facial section at block offset `at`, packed as the seed says: header, type descriptors, object table,
/// then per object its records, its run lists and its pose arrays. Pose 0 is the rest; the others are small
/// random displacements. Without `terminators` the run lists end early, as the rebuilt Luigi's did.
Facial build_facial(const std::vector<FaceObjectInput>& objects, bool terminators, std::uint32_t at,
                    SplitMix64& random);

/// Ascending indices as a run list, with the (0, 0) pair at its end when asked for.
std::vector<FacialRun> runs_of(const std::vector<std::uint16_t>& indices, bool terminator);

/// Gives everything in a section its place in that order, from block offset `at` on: pointers, counts and
/// size follow.
void pack(Facial& facial, std::uint32_t at);

}  // namespace lockline::corpus
