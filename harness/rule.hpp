#pragma once

#include <map>
#include <span>
#include <string>
#include <tuple>

#include "harness/finding.hpp"
#include "harness/subject.hpp"

namespace lockline::harness {

struct Rule;
struct Observation;

/// Where a rule's check puts what it found. Severity and id come from the rule's row unless said otherwise.
class Findings {
 public:
  explicit Findings(std::vector<Finding>& out) : out_(out) {}
  void begin(const Rule& rule) { rule_ = &rule; }
  /// From here on findings belong to a frame: the same rule at the same place is one finding, first seen in
  /// its first frame.
  void begin(const FrameRef& frame) { frame_ = &frame; }

  /// Adds a finding of the current rule with the row's severity, consequence and fix, and returns it for
  /// amendment.
  Finding& add(std::string structure, std::uint32_t begin, std::uint32_t end, std::string cause);
  /// False for what add() returned when it only counted a repeat: nothing written to that is kept.
  bool is_new(const Finding& finding) const { return &finding != &repeated_; }

 private:
  /// True when the finding repeats one of an earlier (or this) frame, which then counts it.
  bool repeats(const std::string& structure, std::uint32_t begin);

  std::vector<Finding>& out_;
  const Rule* rule_ = nullptr;
  const FrameRef* frame_ = nullptr;
  struct Seen {
    std::size_t index;
    std::uint32_t last_frame;
  };
  std::map<std::tuple<std::string_view, std::string, std::uint32_t>, Seen> seen_;
  Finding repeated_;
};

/// A second model that some rules compare with.
enum class Partner : std::uint8_t {
  none,
  donor,  ///< the unmodified model at the same level of detail
  pair,   ///< the other level of detail
};

/// One row of the rule table: what rules.md states, and the function that checks it on the file alone.
struct Rule {
  std::string_view id;
  Severity severity;
  std::string_view summary;                                  ///< the rule, in one sentence
  std::string_view consequence;                              ///< what the game does when it is broken
  std::string_view fix;                                      ///< how to repair it, in general
  std::string_view evidence;                                 ///< what says so: document, library, Dolphin
  std::string_view example;                                  ///< a bundled recipe that breaks it; empty: none
  std::string_view unshown;                                  ///< why no frame can show it; empty: frames can
  void (*check)(const Subject&, Findings&) = nullptr;        ///< on the file alone
  void (*observe)(const Observation&, Findings&) = nullptr;  ///< after each emulated frame (run.*)
  Partner partner = Partner::none;                           ///< whom `compare` needs
  void (*compare)(const Subject&, const Block& partner, Findings&) = nullptr;
};

/// Every rule, in the order of rules.md.
std::span<const Rule> rules();
/// nullptr for an unknown id.
const Rule* find_rule(std::string_view id);

/// The second models that are there.
struct Partners {
  const Block* donor = nullptr;
  const Block* pair = nullptr;

  const Block* of(Partner partner) const { return partner == Partner::donor ? donor : pair; }
};

/// All static rules on one model, those that compare with a partner when it is there.
std::vector<Finding> check_static(const Subject& subject, const Partners& partners);

/// The rules that these partners leave out.
std::vector<const Rule*> rules_without(const Partners& partners);
/// "no donor was given (--donor FILE)".
std::string_view why_skipped(Partner partner);

// The checks, by the file they live in.
namespace rule_checks {
void block_header(const Subject&, Findings&);
void skn_count_min(const Subject&, Findings&);
void skn_count_acc_zero(const Subject&, Findings&);
void skn_size_sk1(const Subject&, Findings&);
void skn_size_sk2(const Subject&, Findings&);
void skn_size_acc(const Subject&, Findings&);
void skn_align_dest(const Subject&, Findings&);
void skn_offset(const Subject&, Findings&);
void skn_exclusive(const Subject&, Findings&);
void skn_acc_exclusive(const Subject&, Findings&);
void skn_acc_sk1(const Subject&, Findings&);
void skn_acc_base(const Subject&, Findings&);
void skn_mirror(const Subject&, Findings&);
void skn_align_array(const Subject&, Findings&);
void skn_prefix(const Subject&, Findings&);
void skn_layout_packed(const Subject&, Findings&);
void skn_order(const Subject&, Findings&);
void skn_weights(const Subject&, Findings&);
void skn_unwritten(const Subject&, Findings&);
void skn_memclr_range(const Subject&, Findings&);
void skn_memclr_noacc(const Subject&, Findings&);
void skn_shift(const Subject&, Findings&);
void skn_bone_range(const Subject&, Findings&);
void skn_bone_donor(const Subject&, const Block& donor, Findings&);
void skn_flush(const Subject&, Findings&);
void skn_dup(const Subject&, Findings&);
void skn_bounds(const Subject&, Findings&);
void gpl_writeback(const Subject&, Findings&);
void gpl_scratch(const Subject&, Findings&);
void gpl_index(const Subject&, Findings&);
void gpl_components(const Subject&, Findings&);
void gpl_owned(const Subject&, Findings&);
void act_tree(const Subject&, Findings&);
void lod_pair(const Subject&, const Block& pair, Findings&);
void face_terminator(const Subject&, Findings&);
void face_sum(const Subject&, Findings&);
void face_order(const Subject&, Findings&);
void face_pose0(const Subject&, Findings&);
void face_target(const Subject&, Findings&);
void face_mirror(const Subject&, Findings&);
void face_written(const Subject&, Findings&);
void face_packing(const Subject&, Findings&);
void block_read(const Subject&, Findings&);
void run_fault(const Observation&, Findings&);
void run_overwrite(const Observation&, Findings&);
void run_stale(const Observation&, Findings&);
void run_drift(const Observation&, Findings&);
void run_saturate(const Observation&, Findings&);
void run_nan(const Observation&, Findings&);
void run_draw(const Observation&, Findings&);
}  // namespace rule_checks

}  // namespace lockline::harness
