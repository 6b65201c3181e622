#include "report/frontier.h"

#include <algorithm>
#include <map>

namespace bi_test::report {
namespace {

enum class Mark { kUnknown, kClean, kDirty };

/// Whether this RED or AMBER says that outputs depend on N: not so where a fault, the baseline
/// itself or ids that could not be compared are behind it.
bool IsAboutBatching(const CellFigures& figures) {
  return !figures.transport_only && figures.divergence_class != "harness_nondeterminism" &&
         figures.divergence_class != "request_mismatch" && figures.anomaly != "uncertified_ids";
}

Mark MarkOf(const CellResult& cell) {
  if (cell.state != CellState::kRan) return Mark::kUnknown;
  switch (cell.verdict) {
    case Verdict::kGreen:
      return Mark::kClean;
    case Verdict::kRed:
    case Verdict::kAmber:
      return IsAboutBatching(cell.figures) ? Mark::kDirty : Mark::kUnknown;
    case Verdict::kUnverified:
      return Mark::kUnknown;
  }
  return Mark::kUnknown;
}

std::string RangeText(const std::pair<int, int>& range) {
  std::string text = "N=" + std::to_string(range.first);
  if (range.second != range.first) text += ".." + std::to_string(range.second);
  return text;
}

void Fill(const std::map<int, Mark>& marks, Frontier& frontier) {
  for (const auto& [n, mark] : marks) {
    if (mark == Mark::kDirty && !frontier.smallest_dirty) frontier.smallest_dirty = n;
    if (mark != Mark::kClean) continue;
    if (frontier.smallest_dirty) {
      frontier.clean_above_dirty.push_back(n);
    } else {
      frontier.largest_clean = n;
    }
  }
  if (!frontier.smallest_dirty) return;
  // N = 1 is the baseline itself.
  const int first = frontier.largest_clean.value_or(1) + 1;
  const int last = *frontier.smallest_dirty - 1;
  if (first <= last) frontier.untested = {first, last};
}

}  // namespace

std::vector<Frontier> Frontiers(const std::vector<CellResult>& cells) {
  std::vector<Frontier> frontiers;
  std::vector<std::map<int, Mark>> marks;
  for (const CellResult& cell : cells) {
    auto found = std::find_if(frontiers.begin(), frontiers.end(), [&cell](const Frontier& f) {
      return f.model == cell.cell.model && f.ctx == cell.cell.ctx &&
             f.kv_label == cell.cell.kv_label;
    });
    if (found == frontiers.end()) {
      Frontier frontier;
      frontier.model = cell.cell.model;
      frontier.ctx = cell.cell.ctx;
      frontier.kv_label = cell.cell.kv_label;
      found = frontiers.insert(frontiers.end(), std::move(frontier));
      marks.emplace_back();
    }
    Mark& mark = marks[static_cast<std::size_t>(found - frontiers.begin())][cell.cell.dispatch_n];
    mark = std::max(mark, MarkOf(cell));
  }
  for (std::size_t i = 0; i < frontiers.size(); ++i) Fill(marks[i], frontiers[i]);
  return frontiers;
}

std::string Describe(const Frontier& frontier) {
  std::string text = frontier.largest_clean
                         ? "clean up to N=" + std::to_string(*frontier.largest_clean)
                         : std::string("no clean N");
  text += frontier.smallest_dirty ? ", dirty from N=" + std::to_string(*frontier.smallest_dirty)
                                  : std::string(", no dirty N seen");
  if (frontier.untested) text += ", nothing known of " + RangeText(*frontier.untested);
  if (!frontier.clean_above_dirty.empty()) {
    text += "; GREEN above it at";
    for (const int n : frontier.clean_above_dirty) text += " N=" + std::to_string(n);
    text += " (do not rely on it)";
  }
  return text;
}

}  // namespace bi_test::report
