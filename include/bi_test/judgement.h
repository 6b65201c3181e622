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
  std::int64_t n_ids_with_logprobs = 0;      ///< Ids for which both sides have token log-probabilities.
  std::int64_t n_ids_logprob_differ = 0;     ///< ... of which at least one value differs by a bit.
  std::int64_t n_sentinels = 0;              ///< Values such as -9999 left out of the comparison.
  std::int64_t n_ids_missing = 0;            ///< Ids for which one side alone has them.
  friend bool operator==(const DriftReport&, const DriftReport&) = default;
};

/// Divergent and total ids of one bucket.
struct BucketCount {
  std::int64_t n = 0;
  std::int64_t divergent = 0;
  friend bool operator==(const BucketCount&, const BucketCount&) = default;
};

/// Comparison of two arms (contract section 3).
struct PairReport {
  std::string pair;
  std::int64_t n_compared = 0;
  std::int64_t n_divergent = 0;
  double divergence_rate = 0.0;
  std::vector<std::string> only_x, only_y, divergent_ids, token_divergence_ids;
  std::vector<FieldDifference> per_id;
  std::map<std::string, BucketCount> by_family;
  std::map<std::string, std::int64_t> by_fill;
  DriftReport logit_drift;
  friend bool operator==(const PairReport&, const PairReport&) = default;
};

/// What one concurrent pass showed.
struct PassReport {
  int pass = 0;
  int client_max_overlap_depth = 0;
  std::int64_t server_peak_busy_slots = 0;
  std::optional<double> mean_busy_slots;
  std::optional<double> decode_calls;
  double coverage_fraction = 0.0;
  bool coverage_ok = false;
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
  std::optional<std::int64_t> token_index;   ///< First differing token id.
  std::optional<std::int64_t> byte_offset;   ///< First differing byte of the content.
  std::optional<std::int64_t> code_point_offset;
  std::string x_around, y_around;            ///< Both texts around it, clipped, raw model text.
  std::optional<double> margin;              ///< Top-1 minus top-2 there in arm A, nats.
  bool not_explained_by_rounding = false;    ///< The margin is above 0.25 nats.
  std::string leak_donor;                    ///< Id whose answer this is, empty when none.
  std::optional<std::int64_t> slot;
  std::vector<std::string> companions;       ///< Ids in service at the same time.
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
  std::int64_t n_comparisons = 0;              ///< ids x effective passes.
  std::int64_t n_divergent_prompts = 0;
  std::optional<double> rule_of_three;         ///< 3 / n, at most 1; null unless clean and proven.
  std::optional<double> clopper_pearson_upper_95;
  std::optional<double> wilson_lower_95, wilson_upper_95;
  std::optional<double> exact_lower_95, exact_upper_95;
  double planned_power_1_percent = 0.0;        ///< Chance to see a 1 % flip with this plan.
  std::int64_t comparisons_for_95 = 0;         ///< Comparisons that make that chance 0.95.
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
  std::vector<Divergence> divergences;
  /// Distinct outputs per id over A and all passes of C; only ids with more than one.
  std::map<std::string, int> distinct_outputs;
  std::map<std::string, std::int64_t> status_counts;  ///< failure_mode -> trials, all arms.
  SampleStatistics statistics;
  bool positive_control_ok = false;

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// One line: verdict, class, reason codes.
std::ostream& operator<<(std::ostream& out, const Judgement& judgement);

}  // namespace bi_test
