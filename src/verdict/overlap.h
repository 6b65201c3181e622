#pragma once

#include <vector>

#include "verdict/record_index.h"

namespace bi_test {

/// A stretch of time, monotonic seconds, `start < end`, both finite.
struct Interval {
  double start = 0.0;
  double end = 0.0;
};

/// Most intervals that hold one moment in common. Where one ends and another starts at the same
/// time, the end comes first. The order of the intervals does not matter; they are sorted in place.
[[nodiscard]] int OverlapDepth(std::vector<double>& starts, std::vector<double>& ends);

/// Depth of the client's own intervals, from send to full receipt. Rows without two finite
/// instants, of negative or of no length do not count.
[[nodiscard]] int ClientOverlapDepth(const RowMap& rows);

}  // namespace bi_test
