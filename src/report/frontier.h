#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/sweep_result.h"

namespace bi_test::report {

/// How far a model may be batched at one ctx, as far as the cells of a sweep tell.
struct Frontier {
  std::string model;
  int ctx = 0;
  std::string kv_label;
  /// Largest N whose cell is GREEN and below every dirty one.
  std::optional<int> largest_clean;
  /// Smallest N at which an output differed: RED or AMBER, unless a fault, a baseline that is not
  /// repeatable or ids that could not be compared are behind it.
  std::optional<int> smallest_dirty;
  /// First and last N between the two (from 2 where nothing is clean): no cell there says clean or
  /// dirty. Absent when there is no such N, or nothing dirty to be below of.
  std::optional<std::pair<int, int>> untested;
  /// GREEN cells above `smallest_dirty`: clean by luck, not to be relied upon.
  std::vector<int> clean_above_dirty;
  friend bool operator==(const Frontier&, const Frontier&) = default;
};

/// One per (model, ctx, KV type), in order of first appearance.
[[nodiscard]] std::vector<Frontier> Frontiers(const std::vector<CellResult>& cells);

/// `clean up to N=4, dirty from N=8, nothing known of N=5..7`.
[[nodiscard]] std::string Describe(const Frontier& frontier);

}  // namespace bi_test::report
