#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/policy.h"
#include "bi_test/record.h"
#include "verdict/record_index.h"

namespace bi_test {

/// What the trace header says the run was going to do. What it does not say stays unknown.
struct RunPlan {
  /// `plan.passes`, else `n_passes`.
  std::optional<std::int64_t> passes;
  /// `plan.a2_sample`: the serial repeat re-measured this many ids of a stored baseline.
  std::optional<std::int64_t> a2_sample;
  /// `plan.fail_fast`: the run was told to stop after the first pass that differs.
  bool fail_fast = false;
  /// `server.total_slots`, as the server reported it.
  std::optional<std::int64_t> total_slots;
};

/// A record made ready for judging. Points into the record.
struct JudgeInput {
  Cell cell;
  RunPlan plan;
  RecordIndex index;  ///< `index.passes` has one entry per pass that counts.
  std::vector<PassEvidence>
      evidence;  ///< One per pass, in order; empty where nothing was measured.
  /// Why the counters of the N-slot server prove no width; empty when nothing speaks against them.
  std::string counters_doubt;
  std::optional<bool> complete;
  /// T as it was planned; `index.passes` may be shorter when the run stopped early as told.
  int n_passes_planned = 0;
  /// Why the record cannot carry a verdict, one line each.
  std::vector<std::string> problems;
};

/// A stored baseline is re-measured on as many ids as the header announces.
[[nodiscard]] bool A2IsSample(const JudgeInput& input);

/// Counts passes that were planned and have no rows as passes in which every id is missing.
void ExtendPasses(JudgeInput& input, std::size_t n_passes);

[[nodiscard]] JudgeInput PrepareInput(const Record& record, const Policy& policy);

}  // namespace bi_test
