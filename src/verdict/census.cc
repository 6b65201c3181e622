#include "verdict/census.h"

#include <algorithm>
#include <cmath>

#include "verdict/trial_fields.h"

namespace bi_test {

Census TakeCensus(const RowMap& rows) {
  Census out;
  out.n_total = static_cast<std::int64_t>(rows.size());
  out.n_ok =
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return IsOk(*row.trial); });
  return out;
}

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
  const Census census_a = TakeCensus(a);
  const Census census_b = TakeCensus(b);
  const Census census_c = TakeCensus(union_c);
  CompletionFloor out;
  out.n_ok_a = census_a.n_ok;
  out.n_failure_a = census_a.n_failure();
  out.n_ok_b = census_b.n_ok;
  out.n_failure_b = census_b.n_failure();
  out.n_ok_c = census_c.n_ok;
  out.n_failure_c = census_c.n_failure();
  out.min_ok_fraction = min_ok_fraction;
  out.required_ok = CeilOfFraction(min_ok_fraction, n_compared);
  out.completion_floor_ok =
      n_compared > 0 && out.n_ok_a >= out.required_ok && out.n_ok_c >= out.required_ok;
  return out;
}

}  // namespace bi_test
