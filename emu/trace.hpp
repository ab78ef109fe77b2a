#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/view.hpp"

namespace lockline::emu {

/// The steps of a frame that touch memory, in runtime.md's order.
enum class Step : std::uint8_t { facial, sk1, sk2, memclr, skacc };

std::string_view name(Step step);

/// What an author does when it writes.
enum class WriteKind : std::uint8_t {
  pose,        ///< facial step: a pose record into a target array
  matrix,      ///< the reordered bone matrix into the entry's own field
  write_back,  ///< locked cache to destination, whole lines
  clear,       ///< memClr
  accumulate,  ///< SKAcc result straight to main memory
};

std::string_view name(WriteKind kind);

/// Who wrote: a step, the entry (facial: object) of that step, and what it was doing.
struct Author {
  Step step = Step::sk1;
  WriteKind kind = WriteKind::write_back;
  std::uint16_t entry = 0;

  bool operator==(const Author&) const = default;
};

/// "SK1[3] write-back", "memClr", "SKAcc[0]".
std::string to_string(const Author& author);

/// `size` bytes of main memory at `address` (virtual, 0x8... or 0x9...) were written.
struct Write {
  std::uint32_t address = 0;
  std::uint32_t size = 0;
  Author author;

  std::uint32_t end() const { return address + size; }
};

/// Every write of a frame to main memory, in order; neighbours by the same author are one record.
class Trace {
 public:
  void clear() { writes_.clear(); }
  /// Writes inside the range are not recorded from here on.
  void leave_out(std::uint32_t begin, std::uint32_t size) {
    left_out_ = begin;
    left_out_bytes_ = size;
  }
  void record(std::uint32_t address, std::uint32_t size, Author author) {
    if (left_out_bytes_ != 0 && contains(left_out_bytes_, address - left_out_, size)) return;
    if (!writes_.empty()) {
      Write& last = writes_.back();
      if (last.author == author && last.end() == address) {
        last.size += size;
        return;
      }
    }
    writes_.push_back({address, size, author});
  }
  const std::vector<Write>& writes() const { return writes_; }

  /// The last write that touched any byte of [begin, end); nullptr when none did.
  const Write* last_writer(std::uint32_t begin, std::uint32_t end) const;

 private:
  std::vector<Write> writes_;
  std::uint32_t left_out_ = 0, left_out_bytes_ = 0;
};

}  // namespace lockline::emu
