#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace bi_test {

/// What one concurrent pass showed of the requests in flight, by the client's clock and by the
/// server's own figures. A figure without a value was not measured and proves nothing. A plain
/// value; `Judge` fills it, readers may share it between threads.
struct PassReport {
  int pass = 0;                      ///< From 0.
  int client_max_overlap_depth = 0;  ///< Most requests in flight at one moment, by the client.
  /// Most slots proven busy at one moment: the sampled peak, or the mean of the counters rounded up
  /// (a mean of 3.9 needs a moment with 4), whichever is larger.
  std::int64_t server_peak_busy_slots = 0;
  std::optional<std::int64_t> sampled_peak_busy_slots;  ///< Of the slot listing alone.
  std::optional<double> mean_busy_slots;       ///< Busy slots per decode call, from the counters.
  std::optional<double> decode_calls;          ///< Of this pass.
  std::optional<std::int64_t> tokens_decoded;  ///< Of this pass.
  std::optional<std::int64_t> polls, missed_polls;  ///< Of the slot listing: read, not read.
  bool counter_reset = false;      ///< A counter went down: the server was restarted meanwhile.
  double coverage_fraction = 0.0;  ///< Ids in service beside another one, 0 to 1.
  bool coverage_ok = false;        ///< ... are as many as the policy asks for.
  /// Requests in service for half of the time in which there was one at all, null without
  /// intervals.
  std::optional<int> median_width;
  /// Requests that were scored, by the mean width (rounded) at which each was in service.
  std::map<int, std::int64_t> comparisons_by_width;
  std::int64_t n_trials = 0, n_ok = 0, n_missing = 0;  ///< Missing: in arm A, but not here.
  /// The width alone, apart from coverage, would make the pass count.
  bool width_ok = false;
  bool effective = false;          ///< The pass counts.
  std::string why_not;             ///< Why it does not, for people; empty when it does.
  std::int64_t ac_divergent = 0;   ///< Ids that differ from arm A in a compared field.
  std::int64_t ac_token_only = 0;  ///< Ids that differ from arm A in the output alone.
  friend bool operator==(const PassReport&, const PassReport&) = default;
};

}  // namespace bi_test
