#pragma once

#include <optional>

#include "corpus/recipe.hpp"
#include "harness/cli/session.hpp"
#include "harness/rule.hpp"

namespace lockline::cli {

/// The donor and the other level of detail that a bundled recipe names, built.
class CorpusPartners {
 public:
  CorpusPartners(const corpus::Recipe& recipe, Session& session);

  harness::Partners get() const {
    return {.donor = donor_ ? &*donor_ : nullptr, .pair = pair_ ? &*pair_ : nullptr};
  }

 private:
  std::optional<Block> donor_, pair_;
};

}  // namespace lockline::cli
