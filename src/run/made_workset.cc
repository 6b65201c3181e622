#include "run/made_workset.h"

#include "run/fragile_workset.h"
#include "run/lengths_workset.h"
#include "run/maker_workset.h"

namespace bi_test::run {

Result<Workset> MakeWorkset(const CellPlan& plan, ServerHandle& server, Recorder& recorder) {
  if (!plan.sweep.workset_maker && plan.sweep.made->kind == MadeWorkset::Kind::kFragile) {
    return MakeFragile(plan, server, recorder);
  }
  const auto make = plan.sweep.workset_maker ? MakeByMaker : MakeLengths;
  return make(plan.sweep, plan.context.cell, *plan.dialect, server.identity(), plan.context.clock);
}

Result<Workset> EstimateWorkset(const Sweep& sweep, const SweepCell& cell) {
  if (sweep.workset_maker) return EstimateByMaker(sweep, cell);
  if (sweep.made->kind == MadeWorkset::Kind::kLengths) return EstimateLengths(sweep, cell);
  return EstimateFragile(sweep);
}

}  // namespace bi_test::run
