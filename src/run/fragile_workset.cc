#include "run/fragile_workset.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "config/worksets/workset.h"
#include "run/arm.h"
#include "run/made_workset.h"
#include "run/prepared_item.h"
#include "trace/trace.h"

namespace bi_test::run {
namespace {

/// Smallest margin of each answer; the trials stand in the order of the rows.
std::vector<std::optional<double>> MarginsOf(const std::vector<Trial>& trials, std::size_t rows) {
  std::vector<std::optional<double>> margins(rows);
  for (std::size_t i = 0; i < std::min(trials.size(), rows); ++i) {
    const auto& all = trials[i].margins;
    if (all && !all->empty()) margins[i] = *std::ranges::min_element(*all);
  }
  return margins;
}

Result<Workset> Keep(const FragileAsk& ask, const Workset& pool, const std::vector<Trial>& trials) {
  const std::vector<std::optional<double>> margins = MarginsOf(trials, pool.rows.size());
  if (std::ranges::none_of(margins, [](const auto& margin) { return margin.has_value(); })) {
    return Error{ErrorCode::kServer,
                 "no answer of the pool came with the margins of its tokens, by which `builtin: "
                 "fragile` chooses; ask for log-probabilities (run.n_probs: 2 or more), or use "
                 "another work-set",
                 ask.cell.test_name};
  }
  std::vector<WorksetRow> rows;
  double widest = 0.0;
  for (const std::size_t i : MostFragile(margins, static_cast<std::size_t>(ask.sweep.made->size))) {
    rows.push_back(pool.rows[i]);
    widest = std::max(widest, margins[i].value_or(widest));
  }
  Workset workset = config::MakeWorkset(std::move(rows), ask.sweep.workset.name);
  workset.stamp["pool"] = pool.name;
  workset.stamp["pool_rows"] = pool.rows.size();
  workset.stamp["widest_margin"] = widest;
  return workset;
}

}  // namespace

std::vector<std::size_t> MostFragile(const std::vector<std::optional<double>>& margins,
                                     std::size_t size) {
  std::vector<std::size_t> order(margins.size());
  std::iota(order.begin(), order.end(), 0);
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return margins[i].value_or(kNone); });
  order.resize(std::min(size, order.size()));
  std::ranges::sort(order);
  return order;
}

Result<FragileChoice> MakeFragile(const FragileAsk& ask) {
  Result<Workset> pool = FittingRows(ask.sweep.made->pool, ask.sweep, ask.cell.cell, ask.dialect,
                                     ask.server.identity(), ask.clock);
  if (!pool.ok()) return pool.error();
  Sweep asking = ask.sweep;
  asking.workset = *pool;
  asking.run.reps = 1;
  const Result<std::vector<PreparedItem>> items = PrepareItems(asking, ask.cell, ask.dialect);
  if (!items.ok()) return items.error();
  Result<std::unique_ptr<trace::TraceWriter>> trace = trace::TraceWriter::Create(ask.trace_file);
  if (!trace.ok()) return trace.error();
  const ArmContext context{asking,  ask.dialect, ask.scorer,     *items,
                           **trace, ask.clock,   ask.on_progress};
  ArmPlan plan;
  plan.label = "pool";
  for (std::size_t i = 0; i < items->size(); ++i) plan.order.push_back(i);
  const ArmResult asked = RunArm(context, ask.server, plan);
  if (asked.stop != ArmStop::kNone) {
    return Error{ErrorCode::kServer,
                 "the pool of the work-set could not be asked to its end: " + asked.stop_text,
                 ask.cell.test_name};
  }
  if (const Result<std::string> closed = (*trace)->Close(); !closed.ok()) return closed.error();
  Result<Workset> kept = Keep(ask, *pool, asked.trials);
  if (!kept.ok()) return kept.error();
  return FragileChoice{*std::move(kept), asked.requests_sent};
}

}  // namespace bi_test::run
