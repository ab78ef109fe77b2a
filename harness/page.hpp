#pragma once

#include <string>
#include <vector>

#include "harness/observation.hpp"
#include "harness/report.hpp"

namespace lockline::harness {

/// The most frames and bytes of positions that a page shows; what is more is said to be left out.
inline constexpr std::size_t page_frames = 48, page_position_bytes = 1U << 20;

/// A frame as a page shows it: what it changed, and where the drawn vertices ended up.
struct PageFrame {
  std::string pose;
  bool stopped = false;
  struct Write {
    std::string author, structure;
    std::uint32_t begin = 0, end = 0;  ///< block offsets
  };
  std::vector<Write> overwritten;       ///< outside the positions, at most 64
  std::vector<std::uint32_t> wrong;     ///< slots that do not hold what their entry computes
  std::vector<std::int16_t> positions;  ///< x y z of every drawn slot, raw
};

/// Watches a check and keeps what a page needs. `see` is for CheckOptions::watch.
class PageRecorder {
 public:
  void see(const Observation& observation);

  const std::vector<PageFrame>& frames() const { return frames_; }
  std::size_t left_out() const { return left_out_; }

 private:
  std::vector<PageFrame> frames_;
  std::vector<std::uint32_t> drawn_;
  std::size_t left_out_ = 0;
};

/// One self-contained page of a model: verdict, findings, the position buffer as a map of lines, what each
/// frame overwrote, the mesh in 3D. Works offline and runs nothing but its own script. `bytes` are the
/// model's.
std::string report_html(const FileReport& file, Bytes bytes, const PageRecorder& recorder,
                        Severity threshold);

}  // namespace lockline::harness
