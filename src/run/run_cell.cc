#include <optional>
#include <utility>

#include "base/try.h"
#include "bi_test/driver.h"
#include "run/arms.h"
#include "run/baseline.h"
#include "run/cell_context.h"
#include "run/cell_plan.h"
#include "run/cell_servers.h"
#include "run/launcher.h"
#include "run/made_workset.h"
#include "run/recorder.h"

namespace bi_test {
namespace run {
namespace {

Status CheckAcknowledged(const Sweep& sweep, const CellContext& context) {
  if (!sweep.guard.require_acknowledgement || context.options.acknowledged ||
      !context.launcher.loads_model()) {
    return {};
  }
  return Error{ErrorCode::kRefused,
               "guard.require_acknowledgement is set and nobody acknowledged the launch: "
               "nothing was launched; look at `bi-test plan`, then run with "
               "--acknowledge (bi-test) or --bi_test_acknowledge (test program)",
               sweep.file};
}

/// The one-slot server that it takes to make the work-set of a cell stays up for arm A.
Result<std::optional<ServerHandle>> MakeRows(CellPlan& plan, CellServers& servers,
                                             Recorder& recorder) {
  if (!plan.needs_workset()) return std::optional<ServerHandle>();
  BI_TRY_SET(ServerHandle server, servers.Launch(1, "A"));
  plan.context.Report("make work-set", 0, 1);
  BI_TRY_SET(plan.sweep.workset, MakeWorkset(plan, server, recorder));
  return std::optional(std::move(server));
}

/// One cell, step by step. An error means that no verdict can be given.
Status Run(const Sweep& sweep, const CellContext& context, Recorder& recorder) {
  const std::filesystem::path& out_dir = context.options.out_dir;
  BI_TRY(recorder.Open(out_dir.empty() ? sweep.output.dir : out_dir));
  BI_TRY(CheckAcknowledged(sweep, context));

  BI_TRY_SET(CellPlan plan, CellPlan::Make(sweep, context));
  CellServers servers(plan, recorder);
  BI_TRY_SET(std::optional<ServerHandle> one_slot, MakeRows(plan, servers, recorder));
  BI_TRY(plan.PrepareItems());

  BI_TRY(Baseline(plan, servers, recorder).Run(std::move(one_slot)));
  BI_TRY(Arms(plan, servers, recorder).Run());

  context.Report("judge", 0, 1);
  return recorder.Finish(ServerJson(plan.sweep, context.cell, plan.model, servers.launches()),
                         plan.sweep.policy);
}

}  // namespace

CellRun RunCellWith(const Sweep& sweep, const SweepCell& cell, const RunOptions& options,
                    const Launcher& launcher) {
  CellContext context{cell, options, launcher, {}};
  context.clock.deadline = context.clock.start + sweep.run.run_timeout;
  Recorder recorder(context);
  const Status status = Run(sweep, context, recorder);
  return status.ok() ? recorder.Take() : recorder.Refuse(status.error());
}

}  // namespace run

CellRun RunCell(const Sweep& sweep, const SweepCell& cell, const RunOptions& options) {
  return run::RunCellWith(sweep, cell, options, run::OwnedServerLauncher());
}

}  // namespace bi_test
