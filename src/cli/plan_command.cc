#include <algorithm>
#include <iostream>
#include <string>

#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/selected_sweep.h"
#include "run/estimate.h"
#include "run/estimate_text.h"
#include "server/program_identity.h"

namespace bi_test::cli {
namespace {

constexpr std::string_view kNothingStarted = "nothing was started";

using run::Fit;
using run::FitName;
using run::FitOf;

[[nodiscard]] Json LaunchJson(const run::LaunchEstimate& launch) {
  Json out;
  out["role"] = launch.role;
  out["slots"] = launch.slots;
  out["fit"] = FitName(FitOf(launch));
  if (launch.guards.ok()) {
    const server::Footprint& need = launch.guards->footprint;
    out["weights_gib"] = need.weights;
    out["kv_gib"] = need.kv();
    out["overhead_gib"] = need.overhead;
    out["projected_gib"] = need.total();
    out["available_gib"] = launch.guards->available_gib;
  } else {
    out["refusal"] = launch.guards.error().Text();
  }
  if (launch.argv.ok()) {
    out["argv"] = Json(Json::Array(launch.argv->begin(), launch.argv->end()));
  } else {
    out["argv_problem"] = launch.argv.error().Text();
  }
  return out;
}

[[nodiscard]] Json PlanJson(const SweepCell& cell, const run::CellEstimate& plan) {
  Json out;
  out["test_name"] = cell.test_name;
  out["model"] = cell.cell.model;
  out["ctx"] = cell.cell.ctx;
  out["dispatch_n"] = cell.cell.dispatch_n;
  out["kv_label"] = cell.cell.kv_label;
  Json::Array launches;
  for (const run::LaunchEstimate& launch : plan.launches) launches.push_back(LaunchJson(launch));
  out["launches"] = std::move(launches);
  out["n_items"] = plan.n_items;
  out["n_distinct_prompts"] = plan.n_distinct_prompts;
  out["longest_prompt_bytes"] = plan.longest_prompt_bytes;
  for (const auto& [arm, count] : plan.requests) out["requests"][arm] = count;
  out["n_requests"] = plan.n_requests;
  out["baseline_stored"] = plan.baseline_stored;
  out["n_comparisons"] = plan.n_comparisons;
  out["planned_power_1_percent"] = plan.power_1_percent ? Json(*plan.power_1_percent) : Json();
  out["comparisons_for_95"] = plan.comparisons_for_95 ? Json(*plan.comparisons_for_95) : Json();
  out["serial_seconds"] = plan.serial_seconds ? Json(*plan.serial_seconds) : Json();
  out["width_problem"] = plan.width_problem.empty() ? Json() : Json(plan.width_problem);
  return out;
}

}  // namespace

int PlanCommand(const RunArguments& arguments) {
  const std::optional<SelectedSweep> selected = SelectSweep("plan", arguments, SweepUse::kPlan);
  if (!selected) return kUsage;
  if (const Status found = server::RequireBinary(selected->sweep.server); !found.ok()) {
    std::cerr << "bi-test plan: warning: " << SanitizeText(found.error().Text(), 2000) << '\n';
  }
  Fit worst = Fit::kFits;
  Json::Array cells;
  for (const SweepCell& cell : selected->cells) {
    const Result<run::CellEstimate> plan = run::EstimateCell(selected->sweep, cell, RunOptions{});
    if (!plan.ok()) return Fail("plan", plan.error(), arguments.json, kError);
    for (const run::LaunchEstimate& launch : plan->launches) {
      worst = std::max(worst, FitOf(launch));
    }
    if (arguments.json) {
      cells.push_back(PlanJson(cell, *plan));
    } else {
      std::cout << run::EstimateText(cell, *plan, selected->sweep.guard);
    }
  }
  if (arguments.json) {
    Json out;
    out["cells"] = std::move(cells);
    out["started"] = false;
    PrintJson(out);
  } else {
    std::cout << kNothingStarted << '\n';
  }
  switch (worst) {
    case Fit::kFits:
      return kPlanOnly;
    case Fit::kExceeds:
      return kNotPromotable;
    case Fit::kUnknown:
      return kError;
  }
  return kError;
}

}  // namespace bi_test::cli
