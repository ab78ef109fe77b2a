#include "harness/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace lockline::harness {
namespace {

/// One of the two models and, once loaded, its console.
struct Side {
  explicit Side(const DiffInput& input)
      : subject(input.bytes, input.block), vertices(diff_vertices(subject)) {}

  Expected<void> load(const emu::MachineOptions& options) {
    auto loaded = emu::Machine::load(subject.bytes, subject.block, options);
    if (!loaded) return tl::unexpected(loaded.error());
    machine.emplace(std::move(*loaded));
    watch.emplace(subject, *machine);
    return {};
  }
  VertexList list() const { return {vertices, shift()}; }
  std::uint8_t shift() const {
    const PositionArray* positions = subject.block.skinned_positions();
    return positions == nullptr ? std::uint8_t{0} : positions->header.quantization.shift();
  }
  ModelSummary summary() const {
    return {static_cast<std::uint32_t>(vertices.size()), bone_count(subject.block), shift()};
  }
  /// The record of a slot as it stands; nullptr where there is no memory.
  const std::uint8_t* record(std::uint32_t slot) {
    return machine->memory().cpu(machine->model().positions + slot * vertex_stride, vertex_stride);
  }

  Subject subject;
  std::vector<DiffVertex> vertices;
  std::optional<emu::Machine> machine;
  std::optional<OverwriteWatch> watch;
};

/// A matched vertex during the run.
struct Pair {
  const DiffVertex* donor = nullptr;
  const DiffVertex* patched = nullptr;
  std::uint32_t allowance = 0;  ///< a component may differ by less than this, or not at all when 0
  VertexDiff diff;
};

std::vector<Pair> pairs_of(const VertexMatches& matches, const Side& donor, const Side& patched) {
  std::vector<Pair> out;
  out.reserve(matches.pairs.size());
  for (const VertexMatch& match : matches.pairs) {
    const DiffVertex& d = donor.vertices[match.donor];
    const DiffVertex& p = patched.vertices[match.patched];
    Pair& pair = out.emplace_back(Pair{&d, &p, allowance(d, p, donor.shift() == patched.shift()), {}});
    pair.diff.donor_slot = d.slot;
    pair.diff.slot = p.slot;
  }
  return out;
}

/// Both models through the same poses.
class LockStep {
 public:
  LockStep(Side& donor, Side& patched, std::vector<Pair>& pairs, DiffReport& report)
      : donor_(donor),
        patched_(patched),
        pairs_(pairs),
        report_(report),
        scale_(std::ldexp(1.0, patched.shift() - donor.shift())) {}

  /// `donors` and `patcheds`: the same poses, fitted to either skeleton.
  void run(const PoseList& donors, const PoseList& patcheds) {
    for (std::size_t i = 0; i < donors.poses.size(); ++i) {
      for (std::uint32_t repeat = 0; repeat < donors.frames_per_pose; ++repeat) {
        if (!frame(donors.poses[i], patcheds.poses[i])) return;
      }
      ++report_.poses;
    }
  }

 private:
  bool frame(const Pose& donor_pose, const Pose& patched_pose) {
    const FrameRef ref{report_.frames, donor_pose.name};
    const bool donor_done = run_frame(donor_, donor_pose, ref, false);
    const bool patched_done = run_frame(patched_, patched_pose, ref, true);
    if (!donor_done || !patched_done) return false;
    for (Pair& pair : pairs_) compare(pair, ref.frame);
    ++report_.frames;
    return true;
  }

  bool run_frame(Side& side, const Pose& pose, const FrameRef& ref, bool in_patched) {
    const emu::FrameResult result = side.machine->frame(pose.matrices, &pose.faces);
    side.watch->frame(*side.machine, ref);
    for (const emu::Fault& fault : result.faults) report_.faults.push_back({in_patched, ref, fault});
    return !result.stopped;
  }

  void compare(Pair& pair, std::uint32_t frame) {
    const std::uint8_t* d = donor_.record(pair.diff.donor_slot);
    const std::uint8_t* p = patched_.record(pair.diff.slot);
    if (d == nullptr || p == nullptr) return;
    if (scale_ == 1 && std::memcmp(d, p, vertex_stride) == 0) return;
    const VertexDifference now = difference(d, p, scale_, pair.allowance);
    if (now.change == VertexChange::none) return;
    if (pair.diff.change == VertexChange::none) pair.diff.first_frame = pair.diff.largest_frame = frame;
    pair.diff.change = std::max(pair.diff.change, now.change);
    if (now.steps <= pair.diff.steps) return;
    pair.diff.steps = now.steps;
    pair.diff.largest_frame = frame;
  }

  Side& donor_;
  Side& patched_;
  std::vector<Pair>& pairs_;
  DiffReport& report_;
  double scale_;
};

/// Poses for another skeleton.
PoseList fitted(PoseList list, const Block& patched) {
  const Pose rest = rest_pose(patched);
  for (Pose& pose : list.poses) {
    const std::size_t known = pose.matrices.size();
    pose.matrices.resize(rest.matrices.size());
    for (std::size_t bone = known; bone < pose.matrices.size(); ++bone)
      pose.matrices[bone] = rest.matrices[bone];
  }
  return list;
}

/// Sums vertices up by what they belong to.
template <class Key>
class Parts {
 public:
  explicit Parts(const PoseList& poses) : poses_(poses) {}

  void add(const Key& key, const VertexDiff& v) {
    Part& part = parts_[key];
    ++part.diff.vertices;
    if (v.change == VertexChange::rounded) ++part.diff.rounded;
    if (v.change < VertexChange::turned) return;
    const bool first = part.diff.moved + part.diff.turned == 0;
    ++(v.change == VertexChange::moved ? part.diff.moved : part.diff.turned);
    if (first || v.first_frame < part.first) part.first = v.first_frame;
    if (!first && v.steps <= part.diff.steps) return;
    part.diff.steps = v.steps;
    part.largest = v.largest_frame;
  }

  /// Those with vertices that moved or turned, ascending by key.
  template <class F>
  std::vector<PartDiff> named(const F& name) const {
    std::vector<PartDiff> out;
    for (const auto& [key, part] : parts_) {
      if (part.diff.moved + part.diff.turned == 0) continue;
      PartDiff& diff = out.emplace_back(part.diff);
      diff.name = name(key);
      diff.first = ref(part.first);
      diff.largest = ref(part.largest);
    }
    return out;
  }

 private:
  struct Part {
    PartDiff diff;
    std::uint32_t first = 0, largest = 0;
  };
  FrameRef ref(std::uint32_t frame) const {
    return {frame, poses_.poses[frame / poses_.frames_per_pose].name};
  }

  const PoseList& poses_;
  std::map<Key, Part> parts_;
};

using EntryKey = std::pair<emu::Step, std::uint32_t>;

/// What stands for "no entry": a step that has none, after the others.
constexpr EntryKey no_entry{emu::Step::skacc, 0xFFFFFFFF};

std::vector<EntryKey> entries_of(const Subject& subject, std::uint32_t slot) {
  std::vector<EntryKey> out;
  if (const std::int32_t owner = subject.slots.direct(slot); owner >= 0) {
    const DirectEntry& e = subject.entries[static_cast<std::size_t>(owner)];
    out.emplace_back(e.is_sk1 ? emu::Step::sk1 : emu::Step::sk2, e.index);
  }
  for (const Contribution& c : subject.slots.contributions(slot)) {
    const EntryKey key{emu::Step::skacc, c.entry};
    if (out.empty() || out.back() != key) out.push_back(key);
  }
  if (out.empty()) out.push_back(no_entry);
  return out;
}

void sum_up(const std::vector<Pair>& pairs, const Side& patched, const PoseList& poses, DiffReport& report) {
  Parts<EntryKey> entries(poses);
  Parts<std::uint16_t> bones(poses);
  for (const Pair& pair : pairs) {
    for (const EntryKey& key : entries_of(patched.subject, pair.diff.slot)) entries.add(key, pair.diff);
    for (const VertexWeight& w : pair.patched->weights) bones.add(w.bone, pair.diff);
    if (pair.diff.change != VertexChange::none) report.vertices.push_back(pair.diff);
  }
  report.entries = entries.named([](const EntryKey& key) {
    return key == no_entry ? "no entry" : fmt::format("{}[{}]", emu::name(key.first), key.second);
  });
  report.bones = bones.named([](std::uint16_t bone) { return fmt::format("bone {}", bone); });
}

void note_matches(const VertexMatches& matches, const Side& donor, const Side& patched, DiffReport& report) {
  report.by_slot = matches.by_slot;
  for (const VertexMatch& match : matches.pairs) ++report.matched[match.by];
  for (const std::uint32_t i : matches.removed) report.removed.push_back(donor.vertices[i].slot);
  for (const std::uint32_t i : matches.added) {
    const DiffVertex& v = patched.vertices[i];
    report.added.push_back(v.slot);
    if (v.drawn) report.added_drawn.push_back(v.slot);
  }
}

/// Findings the donor does not have, by rule and structure, or has with a lower severity.
std::vector<Finding> only_in(std::vector<Finding> patched, const std::vector<Finding>& donor) {
  std::map<std::pair<std::string_view, std::string_view>, Severity> known;
  for (const Finding& f : donor) {
    const auto [at, inserted] = known.try_emplace({f.rule, f.structure}, f.severity);
    at->second = std::max(at->second, f.severity);
  }
  std::erase_if(patched, [&](const Finding& f) {
    const auto found = known.find({f.rule, f.structure});
    return found != known.end() && found->second >= f.severity;
  });
  return patched;
}

/// The patched model's, with those the donor has too marked.
std::vector<OverwriteDiff> overwrites(const Side& donor, const Side& patched) {
  std::set<std::string> known;
  for (const OverwriteDiff& o : donor.watch->overwrites()) known.insert(o.name);
  auto out = patched.watch->overwrites();
  for (OverwriteDiff& o : out) o.in_donor = known.contains(o.name);
  return out;
}

tl::unexpected<DiffError> failure(bool in_patched, const Error& error) {
  return tl::unexpected(DiffError{in_patched, error});
}

bool has_frames(const Block& block) {
  return block.skn || block.facial;
}

/// Loads both, or says in the report why there is nothing to run.
tl::expected<void, DiffError> load(Side& donor, Side& patched, const emu::MachineOptions& options,
                                   DiffReport& report) {
  for (Side* side : {&donor, &patched}) {
    const bool in_patched = side == &patched;
    const auto loaded = side->load(options);
    if (!loaded && loaded.error().code != ErrorCode::missing) return failure(in_patched, loaded.error());
    if (!loaded)
      report.not_emulated = fmt::format("{}: {}", in_patched ? "patched" : "donor", loaded.error().message);
  }
  if (report.not_emulated.empty() && !has_frames(donor.subject.block) && !has_frames(patched.subject.block))
    report.not_emulated = "neither model has a skin or facial poses: no frame changes them";
  return {};
}

/// `donors` and `patcheds` as LockStep::run() takes them.
tl::expected<std::vector<Finding>, DiffError> new_findings(Bytes donor, const PoseList& donors, Bytes patched,
                                                           const PoseList& patcheds,
                                                           const CheckOptions& options) {
  Checker checker(options);
  const auto before = checker.check(donor, donors);
  if (!before) return failure(false, before.error());
  auto after = checker.check(patched, patcheds);
  if (!after) return failure(true, after.error());
  return only_in(std::move(after->findings), before->findings);
}

}  // namespace

std::size_t DiffReport::count(VertexChange change) const {
  return static_cast<std::size_t>(std::count_if(vertices.begin(), vertices.end(),
                                                [&](const VertexDiff& v) { return v.change == change; }));
}

bool DiffReport::differs() const {
  const bool overwritten =
      std::any_of(overwrites.begin(), overwrites.end(), [](const OverwriteDiff& o) { return !o.in_donor; });
  return !vertices.empty() || !removed.empty() || !added.empty() || !structures.empty() || overwritten ||
         !findings.empty() || !faults.empty() || donor.bones != patched.bones;
}

double units(const DiffReport& report, double steps) {
  return std::ldexp(steps, -report.patched.shift);
}

tl::expected<DiffReport, DiffError> diff(const DiffInput& donor_input, const DiffInput& patched_input,
                                         const CheckOptions& options) {
  Side donor(donor_input), patched(patched_input);
  DiffReport report;
  report.donor = donor.summary();
  report.patched = patched.summary();
  report.structures = diff_structures(donor.subject, patched.subject);
  const auto matches = match_vertices(donor.list(), patched.list());
  note_matches(matches, donor, patched, report);
  emu::MachineOptions machine = options.machine;
  machine.pointers = emu::Pointers::addresses;
  if (auto loaded = load(donor, patched, machine, report); !loaded) return tl::unexpected(loaded.error());
  const auto donors = poses_of(options.poses, donor_input.block);
  if (!donors) return failure(false, donors.error());
  std::optional<PoseList> other;  // a long animation is large: only another skeleton needs its own
  if (report.donor.bones != report.patched.bones) other = fitted(*donors, patched_input.block);
  const PoseList& patcheds = other ? *other : *donors;
  if (report.not_emulated.empty()) {
    auto pairs = pairs_of(matches, donor, patched);
    LockStep(donor, patched, pairs, report).run(*donors, patcheds);
    sum_up(pairs, patched, *donors, report);
    report.overwrites = overwrites(donor, patched);
  }
  auto findings = new_findings(donor_input.bytes, *donors, patched_input.bytes, patcheds, options);
  if (!findings) return tl::unexpected(findings.error());
  report.findings = std::move(*findings);
  return report;
}

}  // namespace lockline::harness
