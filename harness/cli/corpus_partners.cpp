#include "harness/cli/corpus_partners.hpp"

#include "corpus/builder.hpp"
#include "corpus/bundled.hpp"

namespace lockline::cli {
namespace {

/// Nothing for no name.
std::optional<Block> build(const std::string& name, Session& session) {
  if (name.empty()) return std::nullopt;
  const auto parse = [](const std::vector<std::uint8_t>& bytes) { return parse_block(bytes); };
  return session.take(name, corpus::find(name).and_then(corpus::build_bytes).and_then(parse));
}

}  // namespace

CorpusPartners::CorpusPartners(const corpus::Recipe& recipe, Session& session)
    : donor_(build(recipe.donor, session)), pair_(build(recipe.pair, session)) {}

}  // namespace lockline::cli
