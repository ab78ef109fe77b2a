#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/block.hpp"
#include "formats/view.hpp"
#include "tests/support/files.hpp"

/// What the tests of formats/ share: the vector files and changing single numbers in them.
namespace lockline::tests {

using Data = std::vector<std::uint8_t>;

/// The bytes of tests/vectors/frames/NAME.block.
inline Data vector_block(const std::string& name) {
  return read_file(vectors() / "frames" / (name + ".block"));
}

/// Names of all block vectors, in order.
inline std::vector<std::string> vector_names() {
  return stems("frames", ".block");
}

template <class T>
Data& poke(Data& data, std::size_t at, T value) {
  if (data.size() < at + sizeof value) data.resize(at + sizeof value);
  store_be<T>(data.data() + at, value);
  return data;
}

template <class T>
T peek(const Data& data, std::size_t at) {
  return load_be<T>(data.data() + at);
}

/// The block, which must parse.
inline Block parsed(const Data& data) {
  auto block = parse_block(data);
  if (!block) {
    ADD_FAILURE() << to_string(block.error());
    return {};
  }
  return *std::move(block);
}

/// Whether the bytes are no block, or come back unchanged.
inline bool survives(Bytes data) {
  const auto block = parse_block(data);
  return !block || std::ranges::equal(serialize(*block), data);
}

/// All problems, one a line.
inline std::string problems(const Block& block) {
  std::string text;
  for (const Error& error : block.problems) text += to_string(error) + "\n";
  return text;
}

inline const Error* problem_at(const Block& block, const std::string& structure) {
  const auto found = std::ranges::find(block.problems, structure, &Error::structure);
  return found == block.problems.end() ? nullptr : &*found;
}

}  // namespace lockline::tests
