#pragma once

#include "bi_test/result.h"
#include "bi_test/sweep.h"
#include "run/cell_plan.h"
#include "run/recorder.h"
#include "run/server_handle.h"

namespace bi_test::run {

/// The work-set that is made for the cell with its 1-slot server, which is up. N does not enter, so
/// that every cell of one model and context, in whatever process, makes the same bytes.
/// REQUIRES: plan.needs_workset().
[[nodiscard]] Result<Workset> MakeWorkset(const CellPlan& plan, ServerHandle& server,
                                          Recorder& recorder);

/// What it is taken to be while no server is up: as many rows, of estimated length.
[[nodiscard]] Result<Workset> EstimateWorkset(const Sweep& sweep, const SweepCell& cell);

}  // namespace bi_test::run
