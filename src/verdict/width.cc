#include "verdict/width.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "verdict/overlap.h"
#include "verdict/trial_fields.h"

namespace bi_test {
namespace {

/// Counters of servers are written with few digits; a mean this far above N is still N.
constexpr double kCounterSlack = 1.01;

/// The mean width of the counters, when they prove anything.
[[nodiscard]] std::optional<double> ProvenMean(const PassEvidence& evidence, int dispatch_n) {
  const std::optional<double>& mean = evidence.mean_busy_slots;
  if (!mean || evidence.counter_reset || !std::isfinite(*mean) || *mean <= 0.0) return std::nullopt;
  if (evidence.decode_calls && *evidence.decode_calls <= 0) return std::nullopt;
  // More busy slots than there are requests: these counters count something else.
  if (*mean > dispatch_n * kCounterSlack) return std::nullopt;
  return mean;
}

/// A mean needs a moment at least as wide as itself, rounded up.
[[nodiscard]] std::int64_t PeakOfMean(double mean) {
  return static_cast<std::int64_t>(std::ceil(mean - 1e-9));
}

[[nodiscard]] std::int64_t ProvenPeak(const PassEvidence& evidence, int dispatch_n) {
  if (evidence.counter_reset) return 0;
  std::int64_t peak = std::max<std::int64_t>(0, evidence.server_peak_busy_slots.value_or(0));
  if (const std::optional<double> mean = ProvenMean(evidence, dispatch_n)) {
    peak = std::max(peak, std::min<std::int64_t>(dispatch_n, PeakOfMean(*mean)));
  }
  return peak;
}

/// Everything that keeps the pass from counting, in one line.
class Doubts {
 public:
  void Add(const std::string& doubt) {
    if (!text_.empty()) text_ += "; ";
    text_ += doubt;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void DoubtServerWidth(const PassReport& report, const PassEvidence& evidence, int dispatch_n,
                      double min_width_fraction, Doubts& doubts) {
  if (evidence.counter_reset) {
    doubts.Add("counter reset: the server was restarted within the pass");
    return;
  }
  const std::optional<double> mean = ProvenMean(evidence, dispatch_n);
  if (!mean && !evidence.server_peak_busy_slots) {
    doubts.Add("no evidence of width from the server");
    return;
  }
  if (report.server_peak_busy_slots < dispatch_n) {
    doubts.Add(std::string(report.server_peak_busy_slots < 2 ? "no co-batching: " : "") +
               "widest " + std::to_string(report.server_peak_busy_slots) + " < " +
               std::to_string(dispatch_n));
  }
  const double required = min_width_fraction * dispatch_n;
  if (mean && *mean < required) {
    doubts.Add("mean width " + FixedText(*mean, 2) + " < " + FixedText(required, 2));
  }
}

void DoubtCoverage(const CoverageReport& coverage, Doubts& doubts) {
  if (coverage.cobatch_coverage_ok) return;
  if (coverage.n_missing_interval > 0) {
    doubts.Add("no usable interval for " + std::to_string(coverage.n_missing_interval) + " of " +
               std::to_string(coverage.n_ids) + " rows");
  } else {
    doubts.Add("co-batched " + std::to_string(coverage.n_co_batched) + " of " +
               std::to_string(coverage.n_ids) + " rows, " +
               std::to_string(std::max<std::int64_t>(2, coverage.required_co_batched)) + " needed");
  }
}

}  // namespace

std::int64_t RequiredBusySlots(std::int64_t n) {
  return std::max<std::int64_t>(2, (3 * n + 3) / 4);
}

std::optional<int> ObservedWidth(const Trial& trial, const Occupancy& occupancy) {
  const ServiceTime time = ServiceTimeOf(trial);
  if (time.kind == ServiceTime::Kind::kMissing) return std::nullopt;
  const std::optional<double> mean = occupancy.MeanWidth(time.interval);
  if (!mean) return std::nullopt;
  return static_cast<int>(std::lround(*mean)) + (IsOk(trial) ? 0 : 1);
}

PassReport BuildPassReport(const RowMap& rows, const PassEvidence& evidence, int dispatch_n,
                           const Occupancy& occupancy, const CoverageReport& coverage,
                           const Policy& policy) {
  PassReport out;
  out.pass = evidence.pass;
  out.client_max_overlap_depth = ClientOverlapDepth(rows);
  out.server_peak_busy_slots = ProvenPeak(evidence, dispatch_n);
  out.sampled_peak_busy_slots = evidence.server_peak_busy_slots;
  out.mean_busy_slots = ProvenMean(evidence, dispatch_n);
  if (evidence.decode_calls) out.decode_calls = static_cast<double>(*evidence.decode_calls);
  out.tokens_decoded = evidence.tokens_decoded;
  out.polls = evidence.polls;
  out.missed_polls = evidence.missed_polls;
  out.counter_reset = evidence.counter_reset;
  out.coverage_fraction = coverage.coverage_fraction.value_or(0.0);
  out.coverage_ok = coverage.cobatch_coverage_ok;
  out.median_width = occupancy.MedianWidth();
  out.n_trials = static_cast<std::int64_t>(rows.size());
  for (const Row& row : rows) {
    if (!IsOk(*row.trial)) continue;
    ++out.n_ok;
    if (const std::optional<int> width = ObservedWidth(*row.trial, occupancy)) {
      ++out.comparisons_by_width[*width];
    }
  }

  Doubts doubts;
  DoubtServerWidth(out, evidence, dispatch_n, policy.min_width_fraction, doubts);
  if (out.client_max_overlap_depth < 2) {
    doubts.Add("client depth " + std::to_string(out.client_max_overlap_depth) + " < 2");
  }
  // Counters weigh the company by decode steps, which is what batching changes. By time, a long
  // prefill that a neighbour waits for looks like solitude; that measure decides only where
  // counters do not.
  const bool steps_shared =
      out.mean_busy_slots && *out.mean_busy_slots >= policy.min_width_fraction * dispatch_n;
  if (out.median_width && *out.median_width < 2 && !steps_shared) {
    doubts.Add("median width " + std::to_string(*out.median_width));
  }
  out.width_ok = doubts.text().empty();
  DoubtCoverage(coverage, doubts);
  out.why_not = doubts.text();
  out.effective = out.why_not.empty();
  return out;
}

}  // namespace bi_test
