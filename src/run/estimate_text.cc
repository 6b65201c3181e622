#include "run/estimate_text.h"

#include "base/number_text.h"
#include "bi_test/sanitize.h"

namespace bi_test::run {
namespace {

constexpr std::size_t kMaxShown = 2000;

std::string Gib(double value) { return FixedText(value, 2); }

/// An argument as a shell would take it: only for reading, nothing is ever given to a shell.
std::string Quoted(const std::string& argument) {
  const bool plain = !argument.empty() && argument.find_first_not_of(
                                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-./=:,@%+") == std::string::npos;
  if (plain) return argument;
  std::string out = "'";
  for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string CommandLine(const LaunchEstimate& launch) {
  if (!launch.argv.ok()) return launch.argv.error().Text();
  std::string out;
  for (const std::string& argument : *launch.argv)
    out += (out.empty() ? "" : " ") + Quoted(argument);
  return out;
}

std::string MemoryLine(const LaunchEstimate& launch, const GuardConfig& guard) {
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

}  // namespace

std::string EstimateText(const SweepCell& cell, const CellEstimate& estimate,
                         const GuardConfig& guard) {
  std::string out = cell.test_name + "  " + SanitizeText(Describe(cell.cell), kMaxShown) + "\n";
  const auto line = [&out](const char* label, const std::string& text) {
    out += std::string("  ") + label + SanitizeText(text, kMaxShown) + "\n";
  };
  for (const LaunchEstimate& launch : estimate.launches) {
    line("memory    ", MemoryLine(launch, guard));
  }
  line("work-set  ", std::to_string(estimate.n_items) + " items, " +
                         std::to_string(estimate.n_distinct_prompts) +
                         " distinct prompts, longest " +
                         std::to_string(estimate.longest_prompt_bytes) + " bytes");
  std::string requests;
  for (const auto& [arm, count] : estimate.requests) {
    requests += (requests.empty() ? "" : " + ") + arm + " " + std::to_string(count);
  }
  line("requests  ", requests + " = " + std::to_string(estimate.n_requests) +
                         (estimate.baseline_stored ? " (a stored baseline serves A and A2)" : ""));
  line("time      ", estimate.serial_seconds
                         ? "at most " + FixedText(*estimate.serial_seconds, 1) +
                               " s of requests, by the stored baseline, launches aside"
                         : std::string("unknown until a cell of this model was measured"));
  line("sees      ",
       "a 1 % flip with probability " +
           (estimate.power_1_percent ? FixedText(*estimate.power_1_percent, 3) : "?") + " (" +
           std::to_string(estimate.n_comparisons) +
           (estimate.n_comparisons == 1 ? " comparison; " : " comparisons; ") +
           (estimate.comparisons_for_95 ? std::to_string(*estimate.comparisons_for_95) : "?") +
           " needed for 0.95)");
  if (!estimate.width_problem.empty()) line("width     ", estimate.width_problem);
  for (const LaunchEstimate& launch : estimate.launches) {
    line("launch    ", CommandLine(launch));
  }
  return out;
}

}  // namespace bi_test::run
