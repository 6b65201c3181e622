#include "verdict/completion_floor.h"

#include <algorithm>
#include <cmath>

#include "verdict/trial_fields.h"

namespace bi_test {

namespace {

[[nodiscard]] std::int64_t CountOk(const RowMap& rows) {
  return std::count_if(rows.begin(), rows.end(), [](const Row& row) { return IsOk(*row.trial); });
}

/// Malformed rows are rows.
[[nodiscard]] std::int64_t CountFailures(const RowMap& rows) {
  return static_cast<std::int64_t>(rows.size()) - CountOk(rows);
}

}  // namespace

std::int64_t CeilOfFraction(double fraction, std::int64_t n) {
  const double product = fraction * static_cast<double>(n);
  const double nearest = std::nearbyint(product);
  // Fractions are decimal in a sweep file; a product within rounding of an integer means that
  // integer.
  if (std::fabs(product - nearest) <= 1e-9 * std::max(1.0, nearest)) {
    return static_cast<std::int64_t>(nearest);
  }
  return static_cast<std::int64_t>(std::ceil(product));
}

CompletionFloor CheckFloor(const RowMap& a, const RowMap& b, const RowMap& union_c,
                           std::int64_t n_compared, double min_ok_fraction) {
  CompletionFloor out;
  out.n_ok_a = CountOk(a);
  out.n_failure_a = CountFailures(a);
  out.n_ok_b = CountOk(b);
  out.n_failure_b = CountFailures(b);
  out.n_ok_c = CountOk(union_c);
  out.n_failure_c = CountFailures(union_c);
  out.min_ok_fraction = min_ok_fraction;
  out.required_ok = CeilOfFraction(min_ok_fraction, n_compared);
  out.completion_floor_ok =
      n_compared > 0 && out.n_ok_a >= out.required_ok && out.n_ok_c >= out.required_ok;
  return out;
}

}  // namespace bi_test
