#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "formats/quantization.hpp"
#include "formats/view.hpp"

/// Private. Reading, writing and measuring consecutive fields. What the fields of a structure are is said
/// once, in fields.hpp, as `fields(io, structure)`; each of the three classes below is such an `io`. All take
/// numbers, arrays, vectors (already sized when reading) and structures that have fields. None checks bounds:
/// the caller has, for the whole structure.
namespace lockline {

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

/// Whole numbers kept wider than the file stores them: the low `width` bytes (1 to 4) of each. Only written
/// and measured.
template <class Number>
struct Narrowed {
  const std::vector<Number>& values;
  std::uint32_t width;
};
template <class Number>
Narrowed(const std::vector<Number>&, std::uint32_t) -> Narrowed<Number>;

namespace detail {

template <class T>
inline constexpr bool is_number_array = false;
template <BigEndian T, std::size_t n>
inline constexpr bool is_number_array<std::array<T, n>> = true;

/// The numbers of a vector of numbers or of number arrays, as one run.
template <BigEndian T>
std::span<T> numbers(std::vector<T>& v) {
  return v;
}
template <BigEndian T>
std::span<const T> numbers(const std::vector<T>& v) {
  return v;
}
template <BigEndian T, std::size_t n>
std::span<T> numbers(std::vector<std::array<T, n>>& v) {
  return {reinterpret_cast<T*>(v.data()), v.size() * n};
}
template <BigEndian T, std::size_t n>
std::span<const T> numbers(const std::vector<std::array<T, n>>& v) {
  return {reinterpret_cast<const T*>(v.data()), v.size() * n};
}

template <class T>
concept Numbers = BigEndian<T> || is_number_array<T>;

}  // namespace detail

/// Fills fields from bytes.
class FieldReader {
 public:
  explicit FieldReader(const std::uint8_t* p) : p_(p) {}

  template <class... F>
  void operator()(F&... field) {
    (one(field), ...);
  }

 private:
  template <BigEndian T>
  void one(T& value) {
    value = load_be<T>(p_);
    p_ += sizeof(T);
  }
  template <class T, std::size_t n>
  void one(std::array<T, n>& values) {
    for (T& value : values) one(value);
  }
  template <detail::Numbers T>
  void one(std::vector<T>& values) {
    const auto out = detail::numbers(values);
    using Number = typename decltype(out)::element_type;
    const std::uint8_t* const in = p_;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = load_be<Number>(in + i * sizeof(Number));
    p_ += out.size_bytes();
  }
  template <class T>
  void one(std::vector<T>& values) {
    for (T& value : values) one(value);
  }
  template <class T>
  void one(T& structure) {
    fields(*this, structure);
  }

  const std::uint8_t* p_;
};

/// Writes fields to bytes.
class FieldWriter {
 public:
  explicit FieldWriter(std::uint8_t* p) : p_(p) {}

  template <class... F>
  void operator()(const F&... field) {
    (one(field), ...);
  }

 private:
  template <BigEndian T>
  void one(const T& value) {
    store_be<T>(p_, value);
    p_ += sizeof(T);
  }
  template <class T, std::size_t n>
  void one(const std::array<T, n>& values) {
    for (const T& value : values) one(value);
  }
  template <detail::Numbers T>
  void one(const std::vector<T>& values) {
    const auto in = detail::numbers(values);
    using Number = std::remove_const_t<typename decltype(in)::element_type>;
    std::uint8_t* const out = p_;
    for (std::size_t i = 0; i < in.size(); ++i) store_be<Number>(out + i * sizeof(Number), in[i]);
    p_ += in.size_bytes();
  }
  template <class T>
  void one(const std::vector<T>& values) {
    for (const T& value : values) one(value);
  }
  template <class Number>
  void one(const Narrowed<Number>& narrowed) {
    for (const Number value : narrowed.values) {
      const auto raw = static_cast<std::uint32_t>(value);
      for (std::uint32_t byte = narrowed.width; byte-- > 0;)
        *p_++ = static_cast<std::uint8_t>(raw >> (8 * byte));
    }
  }
  template <class T>
  void one(const T& structure) {
    fields(*this, structure);
  }

  std::uint8_t* p_;
};

/// Counts the bytes fields take.
class FieldSizer {
 public:
  template <class... F>
  constexpr void operator()(const F&... field) {
    (one(field), ...);
  }
  constexpr std::uint64_t bytes() const { return bytes_; }

 private:
  template <BigEndian T>
  constexpr void one(const T&) {
    bytes_ += sizeof(T);
  }
  template <class T, std::size_t n>
  constexpr void one(const std::array<T, n>& values) {
    for (const T& value : values) one(value);
  }
  template <detail::Numbers T>
  constexpr void one(const std::vector<T>& values) {
    bytes_ += values.size() * sizeof(T);
  }
  template <class T>
  constexpr void one(const std::vector<T>& values) {
    for (const T& value : values) one(value);
  }
  template <class Number>
  constexpr void one(const Narrowed<Number>& narrowed) {
    bytes_ += std::uint64_t{narrowed.values.size()} * narrowed.width;
  }
  template <class T>
  constexpr void one(const T& structure) {
    fields(*this, structure);
  }

  std::uint64_t bytes_ = 0;
};

/// Bytes the parts take when written one after another.
template <class... Part>
constexpr std::uint64_t encoded_size(const Part&... parts) {
  FieldSizer sizer;
  sizer(parts...);
  return sizer.bytes();
}

/// Bytes of a structure whose size is always the same (what it points to not counted).
template <class T>
constexpr std::uint32_t fixed_size() {
  return static_cast<std::uint32_t>(encoded_size(T{}));
}

}  // namespace lockline
