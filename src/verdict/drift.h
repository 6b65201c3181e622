#pragma once

#include <string>
#include <string_view>

#include "bi_test/judgement.h"
#include "bi_test/policy.h"

namespace bi_test {

/// How far the log-probabilities of two rows of one id are apart, in nats: the larger of the
/// difference of the first scalar both hold and of the largest difference at one token before their
/// tokens part. 0 when nothing differs or neither row has numbers; infinite when only one row has
/// numbers per token, or when only one of them is "minus infinity" at a token.
[[nodiscard]] double DriftBetween(const Trial& x, const Trial& y);

/// Collects the log-probability differences of a pair of arms, also token by token.
class DriftCollector {
 public:
  /// `gate`: the pair that may arm the gate (A against C). The gate is armed by `eps` above 0, or
  /// by `LogprobPolicy::kExact`, once there is a pair of numbers to compare.
  DriftCollector(const Policy& policy, bool gate);

  void Add(std::string_view id, const Trial& x, const Trial& y);

  [[nodiscard]] DriftReport Take();

 private:
  bool exact_ = false;
  DriftReport report_;
};

}  // namespace bi_test
