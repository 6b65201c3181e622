#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/driver.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "server/guards.h"

namespace bi_test::run {

/// One launch that a run of the cell would make.
struct LaunchEstimate {
  std::string role;  ///< `A` and `A3` on one slot, `N` on N slots.
  int slots = 1;
  /// The footprint, or why the guards would refuse.
  Result<server::GuardReport> guards;
  /// Arguments as they would be passed, program first; `PORT` stands for the port the system gives.
  Result<std::vector<std::string>> argv;
};

/// Whether a launch can be made, as far as an estimate can tell.
enum class Fit { kFits, kExceeds, kUnknown };

[[nodiscard]] Fit FitOf(const LaunchEstimate& launch);
/// OK, EXCEEDS, UNKNOWN.
[[nodiscard]] const char* FitName(Fit fit);

/// What a run of one cell would do and could see. Nothing of it was done.
struct CellEstimate {
  std::vector<LaunchEstimate> launches;
  std::int64_t n_items = 0;
  std::int64_t n_distinct_prompts = 0;
  std::int64_t longest_prompt_bytes = 0;
  /// Requests by arm, in the order of the run: `A`, `A2`, `A3`, `B`, `C`, `B2`. A and A2 are 0 when
  /// a stored baseline would serve.
  std::vector<std::pair<std::string, std::int64_t>> requests;
  std::int64_t n_requests = 0;
  bool baseline_stored = false;
  /// Distinct prompts times passes: what the chance of seeing a flip rests on.
  std::int64_t n_comparisons = 0;
  std::optional<double> power_1_percent;           ///< Chance to see a flip of rate 0.01.
  std::optional<std::int64_t> comparisons_for_95;  ///< Needed to see it with probability 0.95.
  /// Seconds if every request took as long as in the stored baseline and none overlapped: an upper
  /// figure. Nothing without a baseline.
  std::optional<double> serial_seconds;
  std::string width_problem;  ///< Why N cannot be filled, or empty.
};

/// What `bi-test plan` shows. Reads the model file's header, the memory and a stored baseline;
/// starts nothing, writes nothing. Errors: an unknown dialect or a work-set that does not expand.
[[nodiscard]] Result<CellEstimate> EstimateCell(const Sweep& sweep, const SweepCell& cell,
                                                const RunOptions& options);

}  // namespace bi_test::run
