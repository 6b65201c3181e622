#include "verdict/coverage.h"

#include <algorithm>
#include <limits>

#include "verdict/completion_floor.h"

namespace bi_test {

std::vector<std::uint32_t> CoBatchedIds(const Occupancy& occupancy) {
  std::vector<std::uint32_t> out;
  const std::vector<Occupancy::Entry>& entries = occupancy.entries();
  // Ordered by start, an interval meets an earlier one if the furthest end so far lies behind its
  // start, and a later one if the next start lies before its end. Touching is not meeting.
  double furthest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Interval& own = entries[i].interval;
    const bool earlier = furthest > own.start;
    const bool later = i + 1 < entries.size() && entries[i + 1].interval.start < own.end;
    if (earlier || later) out.push_back(entries[i].id);
    furthest = std::max(furthest, own.end);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::int64_t RequiredCoBatched(double min_coverage_fraction, std::int64_t n_ids) {
  return std::max<std::int64_t>(2, CeilOfFraction(min_coverage_fraction, n_ids));
}

CoverageReport BuildCoverage(const RowMap& rows, const Occupancy& occupancy,
                             double min_coverage_fraction) {
  CoverageReport out;
  out.min_coverage_fraction = min_coverage_fraction;
  out.n_ids = static_cast<std::int64_t>(rows.size());
  bool all_service = true;
  for (const Row& row : rows) {
    const ServiceTime::Kind kind = ServiceTimeOf(*row.trial).kind;
    if (kind == ServiceTime::Kind::kMissing) continue;
    ++out.n_with_interval;
    all_service = all_service && kind != ServiceTime::Kind::kClient;
  }
  out.n_missing_interval = out.n_ids - out.n_with_interval;
  out.interval_kind = all_service && out.n_with_interval > 0 ? "service" : "client";
  out.n_co_batched = static_cast<std::int64_t>(CoBatchedIds(occupancy).size());
  out.coverage_fraction =
      out.n_ids == 0 ? 0.0 : static_cast<double>(out.n_co_batched) / static_cast<double>(out.n_ids);
  out.attribution_certain = out.n_ids > 0 && out.n_missing_interval == 0;
  if (out.n_ids > 0) out.required_co_batched = RequiredCoBatched(min_coverage_fraction, out.n_ids);
  out.cobatch_coverage_ok =
      out.attribution_certain && out.n_ids >= 2 && out.n_co_batched >= out.required_co_batched;
  return out;
}

void NameCoverageIds(CoverageReport& report, const RowMap& rows, const Occupancy& occupancy,
                     const std::vector<std::string_view>& ids) {
  for (const std::uint32_t id : CoBatchedIds(occupancy))
    report.co_batched_ids.emplace_back(ids[id]);
  for (const Row& row : rows) {
    if (ServiceTimeOf(*row.trial).kind == ServiceTime::Kind::kMissing) {
      report.missing_interval_ids.emplace_back(ids[row.id]);
    }
  }
}

}  // namespace bi_test
