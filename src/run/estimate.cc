#include "run/estimate.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "base/try.h"
#include "bi_test/statistics.h"
#include "process/memory_reading.h"
#include "run/baseline_store.h"
#include "run/cell_servers.h"
#include "run/made_workset.h"
#include "run/pass.h"
#include "run/prepared_item.h"
#include "run/provenance.h"
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

[[nodiscard]] LaunchEstimate EstimateLaunch(const Sweep& sweep, const SweepCell& cell,
                                            const server::Dialect& dialect, const std::string& role,
                                            int slots, std::optional<std::uint64_t> memory) {
  const server::LaunchSpec spec = LaunchSpecOf(sweep, cell, slots, role);
  Result<std::vector<std::string>> argv = dialect.Arguments(spec, kPlaceholderPort, "KEY");
  if (argv.ok()) {
    for (std::size_t i = 1; i < argv->size(); ++i) {
      if ((*argv)[i - 1] == "--port") (*argv)[i] = "PORT";
      if ((*argv)[i] == "--port=" + std::to_string(kPlaceholderPort)) (*argv)[i] = "--port=PORT";
    }
    argv->insert(argv->begin(), sweep.server.binary.empty() ? sweep.server.binary_as_written
                                                            : sweep.server.binary.string());
  }
  return LaunchEstimate{role, slots, server::CheckGuards(spec, memory), std::move(argv)};
}

void CountWorkset(const Sweep& sweep, const std::vector<PreparedItem>& items,
                  CellEstimate& estimate) {
  std::set<std::string_view> prompts;
  for (const PreparedItem& item : items) prompts.insert(item.prompt_sha256);
  estimate.n_items = static_cast<std::int64_t>(items.size());
  estimate.n_distinct_prompts = static_cast<std::int64_t>(prompts.size());
  for (const WorksetRow& row : sweep.workset.rows) {
    estimate.longest_prompt_bytes =
        std::max(estimate.longest_prompt_bytes, static_cast<std::int64_t>(row.prompt.size()));
  }
}

void CountRequests(const Sweep& sweep, CellEstimate& estimate) {
  const std::int64_t sample = std::min<std::int64_t>(sweep.run.control_sample, estimate.n_items);
  const std::int64_t baseline = estimate.baseline_stored ? 0 : estimate.n_items;
  estimate.requests = {{"A", baseline},
                       {"A2", baseline},
                       {"A3", sample},
                       {"B", estimate.n_items},
                       {"C", estimate.n_items * sweep.run.passes},
                       {"B2", sample}};
  for (const auto& arm : estimate.requests) estimate.n_requests += arm.second;
}

}  // namespace

Result<CellEstimate> EstimateCell(const Sweep& given, const SweepCell& cell,
                                  const RunOptions& options) {
  std::optional<Sweep> own;
  if (given.workset_maker || given.made) {
    own = given;
    BI_TRY_SET(own->workset, EstimateWorkset(given, cell));
  }
  const Sweep& sweep = own ? *own : given;
  BI_TRY_SET(const server::Dialect* const dialect, server::FindDialect(sweep.server.kind));
  BI_TRY_SET(const std::vector<PreparedItem> items, PrepareItems(sweep, cell, *dialect));

  CellEstimate estimate;
  const std::optional<std::uint64_t> memory = process::AvailableMemory();
  estimate.launches.push_back(EstimateLaunch(sweep, cell, *dialect, "A", 1, memory));
  estimate.launches.push_back(
      EstimateLaunch(sweep, cell, *dialect, "N", cell.cell.dispatch_n, memory));
  CountWorkset(sweep, items, estimate);
  const std::optional<Record> baseline = StoredBaseline(sweep, cell, options, items);
  estimate.baseline_stored = baseline.has_value();
  CountRequests(sweep, estimate);
  if (baseline) {
    if (const auto latency = MeanLatency(baseline->trials, Arm::kA)) {
      estimate.serial_seconds = *latency * static_cast<double>(estimate.n_requests);
    }
  }
  estimate.n_comparisons = estimate.n_distinct_prompts * sweep.run.passes;
  estimate.power_1_percent = PlannedPower(0.01, estimate.n_comparisons);
  estimate.comparisons_for_95 = ComparisonsForPower(0.01, 0.95);
  if (estimate.n_items < cell.cell.dispatch_n) {
    estimate.width_problem = "the work-set has " + std::to_string(estimate.n_items) +
                             " items, fewer than N=" + std::to_string(cell.cell.dispatch_n) +
                             ": the cell can only be UNVERIFIED";
  }
  return estimate;
}

Fit FitOf(const LaunchEstimate& launch) {
  if (!launch.argv.ok()) return Fit::kUnknown;
  if (launch.guards.ok()) return Fit::kFits;
  return launch.guards.error().code == ErrorCode::kRefused ? Fit::kExceeds : Fit::kUnknown;
}

const char* FitName(Fit fit) {
  switch (fit) {
    case Fit::kFits:
      return "OK";
    case Fit::kExceeds:
      return "EXCEEDS";
    case Fit::kUnknown:
      return "UNKNOWN";
  }
  return "UNKNOWN";
}

}  // namespace bi_test::run
