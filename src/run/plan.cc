#include "run/plan.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "bi_test/statistics.h"
#include "process/memory_reading.h"
#include "run/baseline.h"
#include "run/made_workset.h"
#include "run/prepared_item.h"
#include "run/provenance.h"
#include "run/spark_workset.h"
#include "server/dialects/registry.h"
#include "trace/trace.h"

namespace bi_test::run {
namespace {

namespace fs = std::filesystem;

constexpr std::uint16_t kPlaceholderPort = 1;

/// The stored serial measurements that a run would find, if any.
[[nodiscard]] std::optional<Record> StoredBaseline(const Sweep& sweep, const SweepCell& cell,
                                                   const RunOptions& options,
                                                   const std::vector<PreparedItem>& items) {
  if (!options.reuse_baseline) return std::nullopt;
  const Result<ModelFacts> facts = ReadModelFacts(sweep.models[cell.model_index].path);
  if (!facts.ok()) return std::nullopt;
  const Result<Json> subject = BaselineSubject(sweep, cell, *facts, items);
  if (!subject.ok()) return std::nullopt;
  const fs::path out_dir = options.out_dir.empty() ? sweep.output.dir : options.out_dir;
  const fs::path file = BaselineFile(
      options.baseline_dir.empty() ? out_dir / "baselines" : options.baseline_dir, *subject);
  std::error_code code;
  if (!fs::exists(file, code)) return std::nullopt;
  Result<Record> record = trace::ReadTrace(file);
  if (!record.ok() || !record->complete.value_or(false)) return std::nullopt;
  return std::move(*record);
}

[[nodiscard]] std::optional<double> MeanLatency(const Record& baseline) {
  double sum = 0.0;
  int n = 0;
  for (const Trial& trial : baseline.trials) {
    if (!trial.dispatch_ts || !trial.complete_ts) continue;
    sum += *trial.complete_ts - *trial.dispatch_ts;
    ++n;
  }
  return n == 0 ? std::nullopt : std::optional(sum / n);
}

[[nodiscard]] PlannedLaunch PlanLaunch(const Sweep& sweep, const SweepCell& cell,
                                       const server::Dialect& dialect, const std::string& role,
                                       int slots, std::optional<std::uint64_t> memory) {
  server::LaunchSpec spec;
  spec.server = &sweep.server;
  spec.model = &sweep.models[cell.model_index];
  spec.guard = &sweep.guard;
  spec.ctx = cell.cell.ctx;
  spec.slots = slots;
  spec.role = role;
  Result<std::vector<std::string>> argv = dialect.Arguments(spec, kPlaceholderPort, "KEY");
  if (argv.ok()) {
    for (std::size_t i = 1; i < argv->size(); ++i) {
      if ((*argv)[i - 1] == "--port") (*argv)[i] = "PORT";
      if ((*argv)[i] == "--port=" + std::to_string(kPlaceholderPort)) (*argv)[i] = "--port=PORT";
    }
    argv->insert(argv->begin(), sweep.server.binary.empty() ? sweep.server.binary_as_written
                                                            : sweep.server.binary.string());
  }
  return PlannedLaunch{role, slots, server::CheckGuards(spec, memory), std::move(argv)};
}

void CountWorkset(const Sweep& sweep, const std::vector<PreparedItem>& items, CellPlan& plan) {
  std::set<std::string_view> prompts;
  for (const PreparedItem& item : items) prompts.insert(item.prompt_sha256);
  plan.n_items = static_cast<std::int64_t>(items.size());
  plan.n_distinct_prompts = static_cast<std::int64_t>(prompts.size());
  for (const WorksetRow& row : sweep.workset.rows) {
    plan.longest_prompt_bytes =
        std::max(plan.longest_prompt_bytes, static_cast<std::int64_t>(row.prompt.size()));
  }
}

void CountRequests(const Sweep& sweep, CellPlan& plan) {
  const std::int64_t sample = std::min<std::int64_t>(sweep.run.control_sample, plan.n_items);
  const std::int64_t baseline = plan.baseline_stored ? 0 : plan.n_items;
  plan.requests = {{"A", baseline},
                   {"A2", baseline},
                   {"A3", sample},
                   {"B", plan.n_items},
                   {"C", plan.n_items * sweep.run.passes},
                   {"B2", sample}};
  for (const auto& arm : plan.requests) plan.n_requests += arm.second;
}

}  // namespace

Result<CellPlan> PlanCell(const Sweep& given, const SweepCell& cell, const RunOptions& options) {
  std::optional<Sweep> own;
  if (given.spark || given.made) {
    Result<Workset> workset =
        given.spark ? EstimateSparkWorkset(given, cell.cell) : EstimateMadeWorkset(given, cell);
    if (!workset.ok()) return workset.error();
    own = given;
    own->workset = std::move(*workset);
  }
  const Sweep& sweep = own ? *own : given;
  const Result<const server::Dialect*> dialect = server::FindDialect(sweep.server.kind);
  if (!dialect.ok()) return dialect.error();
  const Result<std::vector<PreparedItem>> items = PrepareItems(sweep, cell, **dialect);
  if (!items.ok()) return items.error();

  CellPlan plan;
  const std::optional<std::uint64_t> memory = process::AvailableMemory();
  plan.launches.push_back(PlanLaunch(sweep, cell, **dialect, "A", 1, memory));
  plan.launches.push_back(PlanLaunch(sweep, cell, **dialect, "N", cell.cell.dispatch_n, memory));
  CountWorkset(sweep, *items, plan);
  const std::optional<Record> baseline = StoredBaseline(sweep, cell, options, *items);
  plan.baseline_stored = baseline.has_value();
  CountRequests(sweep, plan);
  if (baseline) {
    if (const auto latency = MeanLatency(*baseline)) {
      plan.serial_seconds = *latency * static_cast<double>(plan.n_requests);
    }
  }
  plan.n_comparisons = plan.n_distinct_prompts * sweep.run.passes;
  plan.power_1_percent = PlannedPower(0.01, plan.n_comparisons);
  plan.comparisons_for_95 = ComparisonsForPower(0.01, 0.95);
  if (plan.n_items < cell.cell.dispatch_n) {
    plan.width_problem = "the work-set has " + std::to_string(plan.n_items) +
                         " items, fewer than N=" + std::to_string(cell.cell.dispatch_n) +
                         ": the cell can only be UNVERIFIED";
  }
  return plan;
}

}  // namespace bi_test::run
