#include <iostream>
#include <string>
#include <utility>

#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/sweep_arguments.h"
#include "run/estimate_text.h"
#include "session/sweep_plan.h"

namespace bi_test::cli {
namespace {

[[nodiscard]] Json LaunchJson(const run::LaunchEstimate& launch) {
  Json out;
  out["role"] = launch.role;
  out["slots"] = launch.slots;
  out["fit"] = run::FitName(run::FitOf(launch));
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
  const session::SelectedSweep selected = SelectSweep("plan", arguments, SweepUse::kPlan);
  if (!selected.errors.empty()) return selected.exit_code;
  const Result<session::SweepPlan> plan = session::PlanSweep(*selected.sweep, selected.cells);
  if (!plan.ok()) return Fail("plan", plan.error(), arguments.json, kExitError);
  if (!plan->warning.empty()) {
    std::cerr << "bi-test plan: warning: " << SanitizeText(plan->warning, 2000) << '\n';
  }
  if (!arguments.json) {
    std::cout << session::SweepPlanText(*selected.sweep, *plan);
    return plan->exit_code;
  }
  Json::Array cells;
  for (std::size_t i = 0; i < plan->cells.size(); ++i) {
    cells.push_back(PlanJson(plan->cells[i], plan->plans[i]));
  }
  Json out;
  out["cells"] = std::move(cells);
  out["started"] = false;
  PrintJson(out);
  return plan->exit_code;
}

}  // namespace bi_test::cli
