#include "run/fragile_workset.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "base/try.h"
#include "config/worksets/workset.h"
#include "run/dispatch.h"
#include "run/pass.h"
#include "run/prepared_item.h"
#include "run/token_counts.h"
#include "trace/trace.h"

namespace bi_test::run {
namespace {

/// The rows of the pool that the slot has room for, as far as the tokenizer says.
Result<Workset> FittingRows(const CellPlan& plan, const server::ServerIdentity& identity) {
  const Workset& pool = plan.sweep.made->pool;
  if (plan.dialect->tokenize_path().empty()) return pool;
  std::vector<WorksetRow> rows;
  for (const WorksetRow& row : pool.rows) {
    BI_TRY(plan.context.clock.MayGoOn("the work-set was being made"));
    std::string all = row.prompt;
    if (row.system) all += *row.system;
    for (const ChatMessage& message : row.messages) all += message.content;
    const std::optional<std::int64_t> tokens =
        CountTokens(*plan.dialect, identity, all, plan.context.clock);
    // Twice the room: the exact check of each item comes later and is an error.
    if (!tokens ||
        *tokens + plan.sweep.run.max_tokens + 2 * kTemplateRoom <= plan.context.cell.cell.ctx) {
      rows.push_back(row);
    }
  }
  return config::MakeWorkset(std::move(rows), pool.name);
}

/// Smallest margin of each answer; the trials stand in the order of the rows.
std::vector<std::optional<double>> MarginsOf(const std::vector<Trial>& trials, std::size_t rows) {
  std::vector<std::optional<double>> margins(rows);
  for (std::size_t i = 0; i < std::min(trials.size(), rows); ++i) {
    const auto& all = trials[i].margins;
    if (all && !all->empty()) margins[i] = *std::ranges::min_element(*all);
  }
  return margins;
}

Result<Workset> Keep(const Sweep& sweep, const SweepCell& cell, const Workset& pool,
                     const std::vector<Trial>& trials) {
  const std::vector<std::optional<double>> margins = MarginsOf(trials, pool.rows.size());
  if (std::ranges::none_of(margins, [](const auto& margin) { return margin.has_value(); })) {
    return Error{ErrorCode::kServer,
                 "no answer of the pool came with the margins of its tokens, by which `builtin: "
                 "fragile` chooses; ask for log-probabilities (run.n_probs: 2 or more), or use "
                 "another work-set",
                 cell.test_name};
  }
  std::vector<WorksetRow> rows;
  double widest = 0.0;
  for (const std::size_t i : MostFragile(margins, static_cast<std::size_t>(sweep.made->size))) {
    rows.push_back(pool.rows[i]);
    widest = std::max(widest, margins[i].value_or(widest));
  }
  Workset workset = config::MakeWorkset(std::move(rows), sweep.workset.name);
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

Result<Workset> MakeFragile(const CellPlan& plan, ServerHandle& server, Recorder& recorder) {
  BI_TRY_SET(const Workset pool, FittingRows(plan, server.identity()));
  Sweep asking = plan.sweep;
  asking.workset = pool;
  asking.run.reps = 1;
  BI_TRY_SET(const std::vector<PreparedItem> items,
             PrepareItems(asking, plan.context.cell, *plan.dialect));
  BI_TRY_SET(const std::unique_ptr<trace::TraceWriter> trace,
             trace::TraceWriter::Create(recorder.files().pool_trace));
  Pass pass;
  pass.label = "pool";
  pass.order = SpreadSample(items.size(), items.size());
  const PassResult asked =
      RunPass({plan.context, plan.sweep, *plan.dialect, *plan.scorer, items, *trace}, server, pass);
  recorder.CountRequests(asked.requests_sent);
  if (asked.stop != PassStop::kNone) {
    return Error{ErrorCode::kServer,
                 "the pool of the work-set could not be asked to its end: " + asked.stop_text,
                 plan.context.cell.test_name};
  }
  BI_TRY(trace->Close());
  return Keep(plan.sweep, plan.context.cell, pool, asked.trials);
}

Workset EstimateFragile(const Sweep& sweep) {
  std::vector<WorksetRow> rows = sweep.made->pool.rows;
  rows.resize(std::min(rows.size(), static_cast<std::size_t>(sweep.made->size)));
  return config::MakeWorkset(std::move(rows), sweep.workset.name);
}

}  // namespace bi_test::run
