#pragma once

#include <cstdint>
#include <optional>

namespace bi_test {

/// Two-sided interval of a rate, both ends in [0, 1].
struct RateInterval {
  double lower = 0.0;
  double upper = 1.0;
  friend bool operator==(const RateInterval&, const RateInterval&) = default;
};

// All functions are pure and total: for counts that make no sense (n < 1, k < 0, k > n) and levels
// outside (0, 1) they return null, never a number. Rates and chances are 0 to 1, never per cent.

/// min(1, 3 / n): after n clean trials the rate is below this with confidence 0.95. An
/// approximation for n of 30 or more; `ClopperPearsonUpper` is exact.
[[nodiscard]] std::optional<double> RuleOfThree(std::int64_t n);

/// Exact one-sided upper bound of the rate after k hits in n trials (Clopper and Pearson, 1934):
/// the p with P(X <= k) = 1 - confidence. 1 for k = n.
[[nodiscard]] std::optional<double> ClopperPearsonUpper(std::int64_t k, std::int64_t n,
                                                        double confidence = 0.95);

/// Exact two-sided interval (Clopper and Pearson): each tail holds half of 1 - confidence.
[[nodiscard]] std::optional<RateInterval> ClopperPearsonInterval(std::int64_t k, std::int64_t n,
                                                                 double confidence = 0.95);

/// Score interval (Wilson, 1927) at confidence 0.95.
[[nodiscard]] std::optional<RateInterval> WilsonInterval(std::int64_t k, std::int64_t n);

/// Chance that `n` independent comparisons show at least one flip when each flips with chance
/// `rate`: 1 - (1 - rate)^n. Null for n < 0 or a rate outside [0, 1].
[[nodiscard]] std::optional<double> PlannedPower(double rate, std::int64_t n);

/// The fewest comparisons for which `PlannedPower(rate, n) >= power`. Null outside (0, 1).
[[nodiscard]] std::optional<std::int64_t> ComparisonsForPower(double rate, double power);

}  // namespace bi_test
