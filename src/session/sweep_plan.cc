#include "session/sweep_plan.h"

#include <utility>

#include "run/estimate_text.h"
#include "server/program_identity.h"
#include "session/exit_status.h"

namespace bi_test::session {
namespace {

ExitCode StatusOf(run::Fit fit) {
  switch (fit) {
    case run::Fit::kFits:
      return kExitOk;
    case run::Fit::kExceeds:
      return kExitNo;
    case run::Fit::kUnknown:
      break;
  }
  return kExitError;
}

}  // namespace

Result<SweepPlan> PlanSweep(const Sweep& sweep, const std::vector<SweepCell>& cells) {
  SweepPlan out;
  if (const Status found = server::RequireBinary(sweep.server); !found.ok()) {
    out.warning = found.error().Text();
  }
  for (const SweepCell& cell : cells) {
    Result<run::CellEstimate> plan = run::EstimateCell(sweep, cell, RunOptions{});
    if (!plan.ok()) return plan.error();
    for (const run::LaunchEstimate& launch : plan->launches) {
      out.exit_code = Worse(out.exit_code, StatusOf(run::FitOf(launch)));
    }
    out.cells.push_back(cell);
    out.plans.push_back(*std::move(plan));
  }
  return out;
}

std::string SweepPlanText(const Sweep& sweep, const SweepPlan& plan) {
  std::string text;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    text += run::EstimateText(plan.cells[i], plan.plans[i], sweep.guard);
  }
  return text + "nothing was started\n";
}

}  // namespace bi_test::session
