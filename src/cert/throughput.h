#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bi_test/record.h"

namespace bi_test {

/// What one pass of one arm produced, and how long it took.
struct PassThroughput {
  Arm arm = Arm::kA;
  int pass = 0;
  std::int64_t n_requests = 0;
  std::int64_t completion_tokens = 0;
  double seconds = 0.0;  ///< 0: no times were measured.
  friend bool operator==(const PassThroughput&, const PassThroughput&) = default;
};

/// Completion tokens per second of one-at-a-time serving (arm A, pass 0) and of serving N at once
/// (arm C, all passes). Absent when tokens or times were not measured.
struct Throughput {
  std::optional<double> serial;
  std::optional<double> concurrent;
  std::vector<PassThroughput> passes;  ///< By arm, then pass.

  /// `concurrent / serial`: what staying serial costs. Absent unless both are known.
  [[nodiscard]] std::optional<double> Gain() const;
  friend bool operator==(const Throughput&, const Throughput&) = default;
};

/// Tokens are the completion tokens of the trials (the number of token ids where no count was
/// kept); time is the wall time of the pass where recorded, else from its first dispatch to its
/// last completion. A pass that lacks either does not count for the rates.
[[nodiscard]] Throughput MeasureThroughput(const Record& record);

}  // namespace bi_test
