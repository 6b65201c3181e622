#pragma once

#include <string>
#include <vector>

#include "bi_test/exit_code.h"
#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/estimate.h"

namespace bi_test::session {

/// What a run of some cells of a sweep would do. Nothing of it was done.
struct SweepPlan {
  std::vector<SweepCell> cells;
  std::vector<run::CellEstimate> plans;  ///< Of each cell.
  std::string warning;                   ///< That there is no server program, or empty.
  /// kExitOk when every launch fits, kExitNo when one does not, kExitError when one cannot be told.
  ExitCode exit_code = kExitOk;
};

[[nodiscard]] Result<SweepPlan> PlanSweep(const Sweep& sweep, const std::vector<SweepCell>& cells);

/// The plan for people.
[[nodiscard]] std::string SweepPlanText(const Sweep& sweep, const SweepPlan& plan);

}  // namespace bi_test::session
