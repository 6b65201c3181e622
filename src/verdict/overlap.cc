#include "verdict/overlap.h"

#include <algorithm>
#include <cmath>

namespace bi_test {

int OverlapDepth(std::vector<double>& starts, std::vector<double>& ends) {
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  int depth = 0;
  int deepest = 0;
  auto end = ends.begin();
  for (const double start : starts) {
    while (end != ends.end() && *end <= start) {
      ++end;
      --depth;
    }
    deepest = std::max(deepest, ++depth);
  }
  return deepest;
}

int ClientOverlapDepth(const RowMap& rows) {
  std::vector<double> starts;
  std::vector<double> ends;
  starts.reserve(rows.size());
  ends.reserve(rows.size());
  for (const Row& row : rows) {
    const Trial& trial = *row.trial;
    if (trial.malformed_row || !trial.dispatch_ts || !trial.complete_ts) continue;
    if (!std::isfinite(*trial.dispatch_ts) || !std::isfinite(*trial.complete_ts)) continue;
    if (!(*trial.dispatch_ts < *trial.complete_ts)) continue;
    starts.push_back(*trial.dispatch_ts);
    ends.push_back(*trial.complete_ts);
  }
  return OverlapDepth(starts, ends);
}

}  // namespace bi_test
