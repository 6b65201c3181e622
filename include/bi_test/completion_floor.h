#pragma once

#include <cstdint>
#include <string>

namespace bi_test {

/// How many requests of each arm came to an answer. A plain value; `Judge` fills it, readers may
/// share it between threads.
struct CompletionFloor {
  std::int64_t n_ok_a = 0, n_failure_a = 0, n_ok_b = 0, n_failure_b = 0, n_ok_c = 0,
               n_failure_c = 0;
  std::int64_t required_ok = 0;      ///< Answers that arms A and C each need.
  double min_ok_fraction = 0.8;      ///< Of the policy, [0.8, 1].
  bool completion_floor_ok = false;  ///< Both have them.
  friend bool operator==(const CompletionFloor&, const CompletionFloor&) = default;
};

/// An id about which nothing is known, and why: it is never counted as equal.
struct UncertifiedId {
  std::string test_id;
  std::string reason;  ///< For people.
  friend bool operator==(const UncertifiedId&, const UncertifiedId&) = default;
};

}  // namespace bi_test
