#include "run/cell_plan.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/try.h"
#include "run/cell_scorer.h"
#include "run/dispatch.h"
#include "run/token_counts.h"
#include "server/dialects/registry.h"
#include "verdict/pass_name.h"

namespace bi_test::run {
namespace {

Status CheckDigest(const ModelConfig& model, const ModelFacts& facts) {
  if (model.sha256.empty() || model.sha256 == facts.sha256) return {};
  return Error{ErrorCode::kRefused,
               "found the SHA-256 " + facts.sha256 + ", the registry says " + model.sha256 +
                   ": fetch the file again, or write its digest into the registry",
               model.path.string()};
}

}  // namespace

Result<CellPlan> CellPlan::Make(const Sweep& sweep, const CellContext& context) {
  CellPlan plan{context, sweep};
  BI_TRY_SET(plan.dialect, server::FindDialect(sweep.server.kind));
  BI_TRY_SET(plan.scorer, MakeAnswerScorer(sweep, context.clock));
  BI_TRY_SET(plan.scorer_identity, ScorerIdentity(sweep));
  if (!context.launcher.loads_model()) return plan;
  const ModelConfig& model = sweep.models[context.cell.model_index];
  BI_TRY_SET(plan.model, ReadModelFacts(model.path));
  BI_TRY(CheckDigest(model, plan.model));
  return plan;
}

Status CellPlan::PrepareItems() {
  BI_TRY_SET(items, run::PrepareItems(sweep, context.cell, *dialect));
  return {};
}

Status CellPlan::CountTokens(const server::ServerIdentity& identity) {
  return MeasurePromptTokens(*dialect, identity, sweep, context.cell.cell, context.clock, items);
}

Pass CellPlan::Serial(Arm arm, int number) const {
  Pass pass;
  pass.arm = arm;
  pass.number = number;
  pass.label = ArmPassName(arm, number);
  pass.order = SpreadSample(items.size(), items.size());
  return pass;
}

Pass CellPlan::Control(Arm arm, int number) const {
  Pass pass = Serial(arm, number);
  pass.order = SpreadSample(items.size(), static_cast<std::size_t>(sweep.run.control_sample));
  return pass;
}

Pass CellPlan::Concurrent(int number, double latency_s) const {
  const PassPlan plan = context.options.pass_plan;
  const Arrival arrival = ArrivalOfPass(number, plan);
  Pass pass = Serial(Arm::kC, number);
  pass.width = static_cast<std::size_t>(context.cell.cell.dispatch_n);
  pass.sample_slots = true;
  const std::chrono::microseconds latency{static_cast<std::int64_t>(latency_s * 1e6)};
  const auto reps = static_cast<std::size_t>(sweep.run.reps);
  pass.order = DispatchOrder(items.size() / reps, reps, sweep.run.seed, number);
  if (plan == PassPlan::kPlain) std::ranges::sort(pass.order);
  if (arrival == Arrival::kMixed) {
    std::vector<std::size_t> lengths;
    for (const PreparedItem& item : items) lengths.push_back(item.body.size());
    pass.order = MixLengths(pass.order, lengths);
  }
  pass.gaps = ArrivalGaps(arrival, pass.order.size(), pass.width, latency, sweep.run.seed, number);
  return pass;
}

}  // namespace bi_test::run
