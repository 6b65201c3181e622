#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bi_test {

/// How far the log-probabilities of two arms lie apart, over the ids of both. Natural logarithms
/// throughout. A plain value; `Judge` fills it, readers may share it between threads.
struct DriftReport {
  double eps = 0.0;              ///< `Policy::logit_drift_eps`, nats, >= 0.
  bool armed = false;            ///< The policy asks, and at least one id had a figure.
  double max_logit_delta = 0.0;  ///< Largest of `per_id_delta`, nats, >= 0.
  /// Difference of the one figure per answer that older traces hold, by test id, nats, >= 0.
  std::map<std::string, double> per_id_delta;
  /// Ids that differ by more than `eps`, or at all where the policy is `exact`; sorted.
  std::vector<std::string> logit_drift_ids;

  // Per-token comparison over the common token prefix.
  std::int64_t n_ids_with_logprobs = 0;  ///< Ids for which both sides have token log-probabilities.
  std::int64_t n_ids_logprob_differ = 0;  ///< ... of which at least one value differs by a bit.
  std::int64_t n_sentinels = 0;           ///< Values such as -9999 left out of the comparison.
  std::int64_t n_ids_missing = 0;         ///< Ids for which one side alone has them.
  std::int64_t n_tokens_compared = 0;     ///< Token positions compared, sentinels not counted.
  double max_token_delta = 0.0;           ///< Largest difference at one token, nats.
  friend bool operator==(const DriftReport&, const DriftReport&) = default;
};

}  // namespace bi_test
