#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "formats/block.hpp"

namespace lockline::corpus {

/// A number inside a typed block; null: the block does not have it.
using FieldPointer = std::variant<std::uint8_t*, std::uint16_t*, std::int16_t*, std::uint32_t*>;

struct FieldRow {
  std::string_view name, at, element;
  FieldPointer (*locate)(Block& block, std::size_t at, std::size_t element);
};

std::span<const FieldRow> field_rows();

/// An array and the pointer that leads to it, so that both can be moved. `data` is null when the array's
/// place follows from its pointer alone.
struct ArrayPointers {
  std::uint32_t* pointer = nullptr;
  std::uint32_t* data = nullptr;
};

struct ArrayRow {
  std::string_view name;
  ArrayPointers (*locate)(Block& block, std::size_t at);
};

std::span<const ArrayRow> array_rows();

}  // namespace lockline::corpus
