#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/json.h"
#include "bi_test/trial.h"
#include "bi_test/verdict.h"

namespace bi_test {

/// One differing field of one id.
struct FieldDifference {
  std::string test_id;
  std::string field;
  Json x;
  Json y;
  std::string x_content_sha, y_content_sha, x_output_sha, y_output_sha;
  bool token_identical = false;
  friend bool operator==(const FieldDifference&, const FieldDifference&) = default;
};

/// Log-probability differences of a pair of arms.
struct DriftReport {
  double eps = 0.0;
  bool armed = false;
  double max_logit_delta = 0.0;
  std::map<std::string, double> per_id_delta;
  std::vector<std::string> logit_drift_ids;
  /// Per-token comparison over the common token prefix.
  std::int64_t n_ids_with_logprobs = 0;  ///< Ids for which both sides have token log-probabilities.
  std::int64_t n_ids_logprob_differ = 0;  ///< ... of which at least one value differs by a bit.
  std::int64_t n_sentinels = 0;           ///< Values such as -9999 left out of the comparison.
  std::int64_t n_ids_missing = 0;         ///< Ids for which one side alone has them.
  std::int64_t n_tokens_compared = 0;     ///< Token positions compared, sentinels not counted.
  double max_token_delta = 0.0;           ///< Largest difference at one token, nats.
  friend bool operator==(const DriftReport&, const DriftReport&) = default;
};

/// Divergent and total ids of one bucket.
struct BucketCount {
  std::int64_t n = 0;
  std::int64_t divergent = 0;
  friend bool operator==(const BucketCount&, const BucketCount&) = default;
};

/// Bound of the lists that hold values, not only ids, so that a record in which all differs stays
/// cheap.
inline constexpr std::size_t kMaxFieldDifferences = 4096;
inline constexpr std::size_t kMaxDivergences = 256;
inline constexpr std::size_t kMaxCompanions = 64;

/// Comparison of two arms (contract section 3).
struct PairReport {
  std::string pair;
  std::int64_t n_compared = 0;
  std::int64_t n_divergent = 0;
  double divergence_rate = 0.0;
  std::vector<std::string> only_x, only_y, divergent_ids, token_divergence_ids;
  /// The first `kMaxFieldDifferences` entries; `n_per_id` counts them all.
  std::vector<FieldDifference> per_id;
  std::int64_t n_per_id = 0;
  /// Of `token_divergence_ids`: those whose text is the same but for where the reasoning stands,
  /// and those that differ in nothing but `finish_reason`.
  std::vector<std::string> framing_ids, finish_reason_ids;
  /// Shared ids for which both sides lack `content`, so that the truncated display form was
  /// compared.
  std::int64_t n_truncated_content = 0;
  std::map<std::string, BucketCount> by_family;
  std::map<std::string, std::int64_t> by_fill;
  DriftReport logit_drift;
  friend bool operator==(const PairReport&, const PairReport&) = default;
};

/// What one concurrent pass showed.
struct PassReport {
  int pass = 0;
  int client_max_overlap_depth = 0;
  /// Most slots proven busy at one moment: the sampled peak, or the mean of the counters rounded up
  /// (a mean of 3.9 needs a moment with 4), whichever is larger.
  std::int64_t server_peak_busy_slots = 0;
  std::optional<std::int64_t> sampled_peak_busy_slots;
  std::optional<double> mean_busy_slots;
  std::optional<double> decode_calls;
  std::optional<std::int64_t> tokens_decoded;
  std::optional<std::int64_t> polls, missed_polls;
  bool counter_reset = false;
  double coverage_fraction = 0.0;
  bool coverage_ok = false;
  /// Requests in service for half of the time in which there was one at all, null without
  /// intervals.
  std::optional<int> median_width;
  /// Requests that were scored, by the mean width (rounded) at which each was in service.
  std::map<int, std::int64_t> comparisons_by_width;
  std::int64_t n_trials = 0, n_ok = 0, n_missing = 0;
  /// The width alone, apart from coverage, would make the pass count.
  bool width_ok = false;
  bool effective = false;
  /// Why the pass is not effective, empty when it is.
  std::string why_not;
  std::int64_t ac_divergent = 0;
  std::int64_t ac_token_only = 0;
  friend bool operator==(const PassReport&, const PassReport&) = default;
};

/// Where two outputs part (design.md 5).
struct Divergence {
  std::string test_id;
  Arm arm = Arm::kC;
  int pass = 0;
  /// `score`, `extracted_answer`, ... or `content`, `token_ids`, `finish_reason`, `logprobs`.
  std::string field;
  std::optional<std::int64_t> token_index;  ///< First differing token id.
  std::optional<std::int64_t> byte_offset;  ///< First differing byte of the content.
  std::optional<std::int64_t> code_point_offset;
  std::string x_around, y_around;          ///< Both texts around it, clipped, raw model text.
  std::optional<double> margin;            ///< Top-1 minus top-2 there in arm A, nats.
  bool not_explained_by_rounding = false;  ///< The margin is above 0.25 nats.
  std::string leak_donor;                  ///< Id whose answer this is, empty when none.
  std::optional<std::int64_t> slot;
  std::vector<std::string> companions;           ///< Ids in service at the same time.
  std::optional<int> observed_width;             ///< Mean requests in service meanwhile, rounded.
  std::optional<std::int64_t> x_token, y_token;  ///< The token ids at `token_index`.
  bool transport = false;                        ///< A transport, deadline or server fault.
  std::string cause;                             ///< What the fault was, empty when there was none.
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

/// Co-batch coverage of one pass (contract section 7).
struct CoverageReport {
  bool coverage_checked = true;
  bool cobatch_coverage_ok = false;
  std::optional<double> coverage_fraction;
  std::int64_t n_ids = 0, n_co_batched = 0, n_with_interval = 0, n_missing_interval = 0;
  bool attribution_certain = false;
  std::int64_t required_co_batched = 0;
  double min_coverage_fraction = 0.8;
  std::string interval_kind;  ///< `service` or `client`.
  std::vector<std::string> co_batched_ids, missing_interval_ids;
  friend bool operator==(const CoverageReport&, const CoverageReport&) = default;
};

/// Completion census (contract section 5).
struct CompletionFloor {
  std::int64_t n_ok_a = 0, n_failure_a = 0, n_ok_b = 0, n_failure_b = 0, n_ok_c = 0,
               n_failure_c = 0;
  std::int64_t required_ok = 0;
  double min_ok_fraction = 0.8;
  bool completion_floor_ok = false;
  friend bool operator==(const CompletionFloor&, const CompletionFloor&) = default;
};

/// An id about which nothing is known, and why.
struct UncertifiedId {
  std::string test_id;
  std::string reason;
  friend bool operator==(const UncertifiedId&, const UncertifiedId&) = default;
};

/// Figures of design.md section 5.
struct SampleStatistics {
  std::int64_t n_hot_trials = 0;
  std::int64_t n_distinct_prompts = 0;
  std::int64_t n_effective_prompts = 0;
  std::int64_t n_comparisons = 0;          ///< Compared ids, summed over the effective passes.
  std::int64_t n_planned_comparisons = 0;  ///< Distinct prompts x planned passes.
  std::int64_t n_compared_prompts = 0;     ///< Prompts with a verdict of their own; base of the
                                           ///< intervals, divergent ones included.
  std::int64_t n_divergent_prompts = 0;
  std::optional<double> rule_of_three;  ///< 3 / n, at most 1; null unless clean and proven.
  std::optional<double> clopper_pearson_upper_95;
  std::optional<double> wilson_lower_95, wilson_upper_95;
  std::optional<double> exact_lower_95, exact_upper_95;
  double planned_power_1_percent = 0.0;  ///< Chance to see a 1 % flip with this plan.
  std::int64_t comparisons_for_95 = 0;   ///< Comparisons that make that chance 0.95.
  friend bool operator==(const SampleStatistics&, const SampleStatistics&) = default;
};

/// The answer about one cell and all it rests on. Made by `Judge` only.
struct Judgement {
  Verdict verdict = Verdict::kUnverified;
  std::optional<std::string> divergence_class;
  std::optional<std::string> anomaly;
  std::vector<std::string> reason_codes;
  std::vector<std::string> decision_reasons;
  std::optional<std::string> mismatch;
  bool transport_only = false;

  PairReport ac, ab, bc, aa2;
  std::optional<PairReport> aa3, bb2;

  int client_max_overlap_depth = 0;
  std::int64_t server_peak_busy_slots = 0;
  int effective_n = 0;
  bool overlap_ok = false;
  int n_passes = 0;
  int n_passes_effective = 0;
  /// Lowest mean width over the passes, null when no pass had counters.
  std::optional<double> min_mean_width;
  std::vector<PassReport> passes;
  CoverageReport coverage;  ///< Of the pass with the lowest fraction.
  CompletionFloor floor;
  std::vector<UncertifiedId> uncertified_ids;
  std::vector<std::string> token_divergence_ids;
  /// Differences of scored fields first, then faults, then differences of the output alone; at most
  /// `kMaxDivergences` of `n_divergences`.
  std::vector<Divergence> divergences;
  std::int64_t n_divergences = 0;
  std::int64_t n_leaks = 0;
  /// Diverging comparisons of arm C by the width at which they happened, where that is known.
  std::map<int, std::int64_t> divergences_by_width;
  /// Ids whose serial repeat in arm A differs; batching was not judged for them.
  std::vector<std::string> serial_unstable_ids;
  std::vector<std::string> request_mismatch_ids, prompt_truncated_ids, cached_prompt_ids;
  /// The earliest fault of the run in words, empty when no request failed.
  std::string first_cause;
  /// Distinct outputs per id over A and all passes of C; only ids with more than one.
  std::map<std::string, int> distinct_outputs;
  std::map<std::string, std::int64_t> status_counts;  ///< failure_mode -> trials, all arms.
  SampleStatistics statistics;
  /// Every planted change was found. `positive_controls` counts the plantings.
  bool positive_control_ok = false;
  int positive_controls = 0;

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// One line: verdict, class, reason codes.
std::ostream& operator<<(std::ostream& out, const Judgement& judgement);

}  // namespace bi_test
