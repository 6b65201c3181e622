#pragma once

#include <string>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/result.h"

namespace bi_test {

/// What to do with log-probabilities that differ while the tokens are the same.
enum class LogprobPolicy {
  kRecord,  ///< Write the differences on the cert; they do not change the verdict.
  kExact,   ///< Any difference, however small, is AMBER (`LOGIT_ONLY`).
  kEps,     ///< A difference above `logit_drift_eps` is AMBER.
};

/// Thresholds of the verdict. A sweep file may make them stricter, never laxer: `Validate` refuses.
struct Policy {
  LogprobPolicy logprobs = LogprobPolicy::kRecord;
  double logit_drift_eps = 0.0;        ///< nats, finite, >= 0.
  double min_ok_fraction = 0.8;        ///< Completion floor, [0.8, 1].
  double min_coverage_fraction = 0.8;  ///< Co-batch coverage per pass, [0.8, 1].
  double min_width_fraction = 0.75;    ///< Mean width / N per pass, [0.75, 1].
  int min_effective_prompts = 5;       ///< For GREEN, >= 5.
  int min_promotion_prompts = 30;      ///< For promotion, >= 30.
  /// Days after which a cert no longer promotes, 1..3650: builds, drivers and kernels move on.
  int expires_days = 90;
  /// Fields compared in addition to the six; never fewer.
  std::vector<std::string> extra_invariant_fields;

  friend bool operator==(const Policy&, const Policy&) = default;
};

/// One line per wrong value: key, what was found, what is allowed. Empty when the policy is usable.
[[nodiscard]] std::vector<std::string> Validate(const Policy& policy);

/// `record`, `exact` or `eps`.
[[nodiscard]] const char* LogprobPolicyName(LogprobPolicy policy);

/// The policy as it stands in a trace header and on a cert. `ParsePolicyJson` reads it back;
/// missing keys have their defaults, wrong types, unknown names and laxer values are errors
/// (kInvalidFile) that name the key.
[[nodiscard]] Json PolicyJson(const Policy& policy);
[[nodiscard]] Result<Policy> ParsePolicyJson(const Json& json);

}  // namespace bi_test
