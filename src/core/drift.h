#pragma once

#include <string>
#include <string_view>

#include "bi_test/judgement.h"
#include "bi_test/policy.h"

namespace bi_test {

/// Collects the log-probability differences of a pair of arms (contract section 8, and token by
/// token).
class DriftCollector {
 public:
  /// `gate`: the pair that may arm the gate (A against C). The gate is armed by `eps` above 0, or
  /// by `LogprobPolicy::kExact`, once there is a pair of numbers to compare.
  DriftCollector(const Policy& policy, bool gate);

  void Add(std::string_view id, const Trial& x, const Trial& y);

  [[nodiscard]] DriftReport Take();

 private:
  struct TokenDrift {
    bool differs = false;
    double max_delta = 0.0;
  };
  [[nodiscard]] TokenDrift CompareTokens(const Trial& x, const Trial& y);

  bool exact_ = false;
  DriftReport report_;
};

}  // namespace bi_test
