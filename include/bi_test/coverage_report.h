#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bi_test {

/// Co-batch coverage of one pass: which ids were in service beside another one. Lists are
/// sorted. A plain value; `Judge` fills it, readers may share it between threads.
struct CoverageReport {
  bool coverage_checked = true;             ///< Always; older certs may say false.
  bool cobatch_coverage_ok = false;         ///< `n_co_batched` reaches `required_co_batched`.
  std::optional<double> coverage_fraction;  ///< n_co_batched / n_ids, 0 to 1; null without ids.
  std::int64_t n_ids = 0, n_co_batched = 0, n_with_interval = 0, n_missing_interval = 0;
  bool attribution_certain = false;  ///< Each id has an interval, so companions are known.
  std::int64_t required_co_batched = 0;
  double min_coverage_fraction = 0.8;  ///< Of the policy, [0.8, 1].
  std::string interval_kind;           ///< `service` or `client`.
  std::vector<std::string> co_batched_ids, missing_interval_ids;
  friend bool operator==(const CoverageReport&, const CoverageReport&) = default;
};

}  // namespace bi_test
