#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/completion_floor.h"
#include "bi_test/coverage_report.h"
#include "bi_test/divergence.h"
#include "bi_test/pair_report.h"
#include "bi_test/pass_report.h"
#include "bi_test/sample_statistics.h"
#include "bi_test/verdict.h"

namespace bi_test {

/// The answer about one cell and all it rests on. Made by `Judge` only; a plain value that readers
/// may share between threads. Lists of ids are sorted.
///
///     const bi_test::Judgement judgement = bi_test::Judge(record);
///     if (judgement.verdict != bi_test::Verdict::kGreen) std::cout << judgement << "\n";
struct Judgement {
  Verdict verdict = Verdict::kUnverified;
  std::optional<std::string> divergence_class;  ///< Of a RED: `co_batching`, `leak`, ...
  std::optional<std::string> anomaly;           ///< What is odd, in one word, if anything is.
  std::vector<std::string> reason_codes;        ///< The one that decided first (docs/certs.md).
  std::vector<std::string> decision_reasons;    ///< The same in words, one sentence each.
  std::optional<std::string> mismatch;          ///< What differs, for people, if anything does.
  bool transport_only = false;  ///< Every divergence is a transport, deadline or server fault.

  PairReport ac, ab, bc, aa2;
  std::optional<PairReport> aa3, bb2;  ///< Null when that arm was not run.

  int client_max_overlap_depth = 0;         ///< Of the best pass, by the client's clock.
  std::int64_t server_peak_busy_slots = 0;  ///< Of the best pass, by the server.
  int effective_n = 0;                      ///< The smaller of the two, at most N.
  bool overlap_ok = false;                  ///< ... and that is enough of N.
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
