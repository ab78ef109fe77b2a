#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lockline::harness {

/// Byte ranges that carry a value, to be asked in logarithmic time which of them covers a place. Add all,
/// call sort() once, then ask.
template <class T>
class Spans {
 public:
  struct Span {
    std::uint64_t begin = 0, end = 0;
    T value{};
  };

  void add(std::uint64_t begin, std::uint64_t end, T value) {
    spans_.push_back({begin, end, std::move(value)});
  }

  void sort() {
    std::stable_sort(spans_.begin(), spans_.end(),
                     [](const Span& a, const Span& b) { return a.begin < b.begin; });
    furthest_.resize(spans_.size());
    for (std::size_t i = 1; i < spans_.size(); ++i)
      furthest_[i] = spans_[i].end > spans_[furthest_[i - 1]].end ? i : furthest_[i - 1];
  }

  /// The one that ends last; nullptr: there are none.
  const Span* last() const { return spans_.empty() ? nullptr : &spans_[furthest_.back()]; }
  /// The one that reaches furthest of those that touch [begin, end); nullptr: none does.
  const Span* touching(std::uint64_t begin, std::uint64_t end) const {
    const Span* span = furthest_before(end);
    return span != nullptr && span->end > begin ? span : nullptr;
  }
  /// One that contains [begin, end); nullptr: none does.
  const Span* around(std::uint64_t begin, std::uint64_t end) const {
    const Span* span = furthest_before(begin + 1);
    return span != nullptr && span->end >= end ? span : nullptr;
  }

 private:
  /// The one that reaches furthest of those that begin before `limit`.
  const Span* furthest_before(std::uint64_t limit) const {
    const auto past = std::lower_bound(spans_.begin(), spans_.end(), limit,
                                       [](const Span& s, std::uint64_t l) { return s.begin < l; });
    return past == spans_.begin() ? nullptr
                                  : &spans_[furthest_[static_cast<std::size_t>(past - spans_.begin()) - 1]];
  }

  std::vector<Span> spans_;
  std::vector<std::size_t> furthest_;  ///< index of the one that ends last, of those up to here
};

}  // namespace lockline::harness
