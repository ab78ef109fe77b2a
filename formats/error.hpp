#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace lockline {

/// What kind of trouble a reader met.
enum class ErrorCode {
  truncated,      ///< A structure runs past the end of the bytes it must lie in.
  bad_magic,      ///< A section does not start with the constant it must start with.
  bad_value,      ///< A field holds a value no reader of the game accepts (format nibble, opcode, ...).
  out_of_bounds,  ///< A pointer leads outside its section or block.
  too_large,      ///< Decoding would need more than a sane multiple of the file's size (overlapping arrays).
  cycle,          ///< A chain of links returns to itself.
  missing,        ///< A part the operation needs is not there.
};

/// An error is a value: code, byte offset in the file it concerns, the structure's name, and a sentence
/// for people. `structure` uses the names of the structure map ("GPL / submesh 0 / UV 0 header").
struct Error {
  ErrorCode code = ErrorCode::bad_value;
  std::uint32_t offset = 0;
  std::string structure;
  std::string message;
};

template <class T>
using Expected = tl::expected<T, Error>;

/// "0x0001a4: SKN / SK1[0]: message" — the one way an Error is shown.
std::string to_string(const Error& error);

/// The code's name as the JSON reports print it ("truncated", "bad-magic", ...).
std::string_view name(ErrorCode code);

}  // namespace lockline
