#include <algorithm>
#include <iostream>
#include <string>

#include "bi_test/sanitize.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/selected_sweep.h"
#include "driver/plan.h"
#include "report/numbers.h"
#include "server/text.h"

namespace bi_test::cli {
namespace {

constexpr std::size_t kMaxShown = 2000;
constexpr std::string_view kNothingStarted = "nothing was started";

/// What a launch can be said to do.
enum class Fit { kFits, kExceeds, kUnknown };

[[nodiscard]] Fit FitOf(const driver::PlannedLaunch& launch) {
  if (!launch.argv.ok()) return Fit::kUnknown;
  if (launch.guards.ok()) return Fit::kFits;
  return launch.guards.error().code == ErrorCode::kRefused ? Fit::kExceeds : Fit::kUnknown;
}

[[nodiscard]] const char* FitName(Fit fit) {
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

[[nodiscard]] std::string Gib(double value) { return server::Decimal(value, 2); }

/// An argument as a shell would take it: only for reading, nothing is ever given to a shell.
[[nodiscard]] std::string Quoted(const std::string& argument) {
  const bool plain = !argument.empty() && argument.find_first_not_of(
                                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-./=:,@%+") == std::string::npos;
  if (plain) return argument;
  std::string out = "'";
  for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

[[nodiscard]] std::string CommandLine(const driver::PlannedLaunch& launch) {
  if (!launch.argv.ok()) return launch.argv.error().Text();
  std::string out;
  for (const std::string& argument : *launch.argv)
    out += (out.empty() ? "" : " ") + Quoted(argument);
  return out;
}

[[nodiscard]] std::string MemoryLine(const driver::PlannedLaunch& launch,
                                     const GuardConfig& guard) {
  std::string out = std::to_string(launch.slots) + (launch.slots == 1 ? " slot: " : " slots: ");
  if (!launch.guards.ok())
    return out + FitName(FitOf(launch)) + ": " + launch.guards.error().Text();
  const server::GuardReport& report = *launch.guards;
  const server::Footprint& need = report.footprint;
  return out + Gib(need.total()) + " GiB = weights " + Gib(need.weights) + " + KV " +
         Gib(need.kv()) + " + overhead " + Gib(need.overhead) + "; cap " +
         Gib(guard.max_footprint_gib) + ", floor " + Gib(guard.memory_floor_gib) + ", available " +
         (report.available_gib > 0 ? Gib(report.available_gib) : std::string("unknown")) + ": " +
         FitName(FitOf(launch));
}

void PrintPlan(const SweepCell& cell, const driver::CellPlan& plan, const GuardConfig& guard) {
  const auto line = [](const char* label, const std::string& text) {
    std::cout << "  " << label << SanitizeText(text, kMaxShown) << '\n';
  };
  std::cout << cell.test_name << "  " << SanitizeText(Describe(cell.cell), kMaxShown) << '\n';
  for (const driver::PlannedLaunch& launch : plan.launches) {
    line("memory    ", MemoryLine(launch, guard));
  }
  line("work-set  ", std::to_string(plan.n_items) + " items, " +
                         std::to_string(plan.n_distinct_prompts) + " distinct prompts, longest " +
                         std::to_string(plan.longest_prompt_bytes) + " bytes");
  std::string requests;
  for (const auto& [arm, count] : plan.requests) {
    requests += (requests.empty() ? "" : " + ") + arm + " " + std::to_string(count);
  }
  line("requests  ", requests + " = " + std::to_string(plan.n_requests) +
                         (plan.baseline_stored ? " (a stored baseline serves A and A2)" : ""));
  line("time      ", plan.serial_seconds
                         ? "at most " + server::Decimal(*plan.serial_seconds, 1) +
                               " s of requests, by the stored baseline, launches aside"
                         : std::string("unknown until a cell of this model was measured"));
  line("sees      ",
       "a 1 % flip with probability " +
           (plan.power_1_percent ? server::Decimal(*plan.power_1_percent, 3) : "?") + " (" +
           std::to_string(plan.n_comparisons) + " comparisons; " +
           (plan.comparisons_for_95 ? std::to_string(*plan.comparisons_for_95) : "?") +
           " needed for 0.95)");
  if (!plan.width_problem.empty()) line("width     ", plan.width_problem);
  for (const driver::PlannedLaunch& launch : plan.launches) {
    line("launch    ", CommandLine(launch));
  }
}

[[nodiscard]] Json LaunchJson(const driver::PlannedLaunch& launch) {
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

[[nodiscard]] Json PlanJson(const SweepCell& cell, const driver::CellPlan& plan) {
  Json out;
  out["test_name"] = cell.test_name;
  out["model"] = cell.cell.model;
  out["ctx"] = cell.cell.ctx;
  out["dispatch_n"] = cell.cell.dispatch_n;
  out["kv_label"] = cell.cell.kv_label;
  Json::Array launches;
  for (const driver::PlannedLaunch& launch : plan.launches) launches.push_back(LaunchJson(launch));
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
  const std::optional<SelectedSweep> selected = SelectSweep("plan", arguments);
  if (!selected) return kUsage;
  Fit worst = Fit::kFits;
  Json::Array cells;
  for (const SweepCell& cell : selected->cells) {
    const Result<driver::CellPlan> plan = driver::PlanCell(selected->sweep, cell, RunOptions{});
    if (!plan.ok()) return Fail("plan", plan.error(), arguments.json, kError);
    for (const driver::PlannedLaunch& launch : plan->launches) {
      worst = std::max(worst, FitOf(launch));
    }
    if (arguments.json) {
      cells.push_back(PlanJson(cell, *plan));
    } else {
      PrintPlan(cell, *plan, selected->sweep.guard);
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
