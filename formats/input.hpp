#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/error.hpp"
#include "formats/fields.hpp"
#include "formats/names.hpp"
#include "formats/view.hpp"

/// Private. The bounds-checked reader every parser of the library goes through.
namespace lockline {

/// What a failed read concerns: the structure and what its loss means, "so the bones it moves are unknown".
struct Subject {
  Name name;
  const char* consequence;
};

/// What is read: its name and header for people, and how much its honest content swells when decoded.
struct FileKind {
  const char* noun;
  const char* header;
  std::uint64_t budget_factor;
};

/// Honest sections stay below 4 times.
inline constexpr FileKind block_kind{"block", names::block_header, 8};
/// A key of 12 bytes that shares its setting and controls with others takes up to 208.
inline constexpr FileKind anm_kind{"animation bank", names::anm_header, 48};

/// A file's bytes, the budget for decoding them, and the list of problems. Offsets are 64 bits wide: a base
/// plus any u32 pointer is a valid argument. A read that fails says why in the list and returns false, null
/// or nothing.
class Input {
 public:
  /// The decoded values of a section may take `budget_factor` times the file's bytes, plus this.
  static constexpr std::uint64_t budget_base = 64U << 10;
  /// The list of problems ends with a note when it reaches this length.
  static constexpr std::size_t max_problems = 1000;

  Input(Bytes bytes, std::vector<Error>& problems, const FileKind& kind)
      : bytes_(bytes), problems_(problems), kind_(kind) {
    renew_budget();
  }

  std::uint64_t size() const { return bytes_.size(); }

  void problem(ErrorCode code, std::uint64_t offset, const Name& name, std::string message);
  void problem(Error error);

  /// For the next section: what went wrong in one does not hide another.
  void renew_budget() {
    budget_ = kind_.budget_factor * size() + budget_base;
    exhausted_ = false;
  }

  /// Takes `decoded` bytes of memory or work from the budget. The first failure is a problem; then every call
  /// fails until the budget is renewed.
  bool charge(std::uint64_t decoded, std::uint64_t offset, const Name& name);

  bool exhausted() const { return exhausted_; }

  /// `length` bytes at `offset`; null when they do not all lie in the block. Not charged.
  const std::uint8_t* range(std::uint64_t offset, std::uint64_t length, const Subject& subject);

  /// A structure of fixed size. Not charged: whoever keeps many of them charges for the table.
  template <class T>
  bool structure(std::uint64_t offset, T& value, const Subject& subject) {
    const std::uint8_t* const p = range(offset, fixed_size<T>(), subject);
    if (p == nullptr) return false;
    FieldReader{p}(value);
    return true;
  }

  /// `count` numbers or small structures. All or nothing; `values` stays empty when it fails.
  template <class T>
  bool array(std::uint64_t offset, std::uint64_t count, std::vector<T>& values, const Subject& subject) {
    if (count == 0) return true;
    const std::uint8_t* const p = range(offset, count * fixed_size<T>(), subject);
    if (p == nullptr || !charge(count * sizeof(T), offset, subject.name)) return false;
    values.resize(count);
    FieldReader{p}(values);
    return true;
  }

  /// How many of a table's `count` rows can be read, each of `bytes` in the file and `decoded` in memory:
  /// those in the block, and no more than half the budget allows, so that a wild count leaves room for what
  /// the first rows point to. They are charged. `row(i)` is the Subject of row i, used when the table is cut
  /// off.
  template <class Row>
  std::uint64_t rows(std::uint64_t offset, std::uint64_t count, std::uint64_t bytes, std::uint64_t decoded,
                     Row row) {
    const std::uint64_t room = offset < size() ? (size() - offset) / bytes : 0;
    if (room < count) range(offset + room * bytes, (count - room) * bytes, row(room));
    if (exhausted_) return 0;
    const std::uint64_t in_block = std::min(room, count), affordable = budget_ / 2 / decoded;
    if (affordable < in_block) too_large(offset + affordable * bytes, row(affordable).name);
    const std::uint64_t read = std::min(in_block, affordable);
    return charge(read * decoded, offset, row(0).name) ? read : 0;
  }

  /// A table of structures that keep their offset in `at`: as many rows as lie in the block.
  template <class T, class Row>
  void table(std::uint64_t offset, std::uint64_t count, std::vector<T>& values, Row row) {
    const std::uint64_t fits = rows(offset, count, fixed_size<T>(), sizeof(T), row);
    if (fits == 0) return;
    values.resize(fits);
    const std::uint8_t* const p = bytes_.data() + offset;
    for (std::uint64_t i = 0; i < fits; ++i) {
      values[i].at = static_cast<std::uint32_t>(offset + i * fixed_size<T>());
      FieldReader{p + i * fixed_size<T>()}(values[i]);
    }
  }

  /// A NUL-terminated string.
  std::optional<CString> text(std::uint64_t offset, const Subject& subject);

 private:
  void too_large(std::uint64_t offset, const Name& name);

  Bytes bytes_;
  std::vector<Error>& problems_;
  FileKind kind_;
  std::uint64_t budget_ = 0;
  bool exhausted_ = false;
};

}  // namespace lockline
