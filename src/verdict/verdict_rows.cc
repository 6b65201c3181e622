#include "verdict/verdict_rows.h"

namespace bi_test {
namespace {

struct Condition {
  bool holds;
  const char* code;
  const char* anomaly;
};

/// The row of the first condition that holds, with the codes of all that hold.
template <std::size_t N>
[[nodiscard]] std::optional<VerdictRow> FirstOf(Verdict verdict, const Condition (&conditions)[N]) {
  VerdictRow row;
  row.verdict = verdict;
  for (const Condition& condition : conditions) {
    if (!condition.holds) continue;
    if (row.reason_codes.empty() && condition.anomaly != nullptr) row.anomaly = condition.anomaly;
    row.reason_codes.emplace_back(condition.code);
  }
  if (row.reason_codes.empty()) return std::nullopt;
  return row;
}

[[nodiscard]] VerdictRow Red(const char* divergence_class, const char* code) {
  VerdictRow row;
  row.verdict = Verdict::kRed;
  if (divergence_class != nullptr) row.divergence_class = divergence_class;
  row.reason_codes.emplace_back(code);
  return row;
}

[[nodiscard]] VerdictRow Infrastructure(VerdictRow row) {
  row.divergence_class = "infrastructure";
  row.transport_only = true;
  row.reason_codes.emplace_back("INFRASTRUCTURE");
  return row;
}

[[nodiscard]] bool Positive(const std::optional<std::int64_t>& count) {
  return count.value_or(0) > 0;
}

/// Row 0: the baseline itself does not hold, so nothing can be said about batching.
[[nodiscard]] std::optional<VerdictRow> ControlRow(const VerdictInputs& in) {
  if (in.request_mismatch) {
    VerdictRow row = Red("request_mismatch", "REQUEST_MISMATCH");
    row.anomaly = "request_mismatch";
    return row;
  }
  if (!in.self_identity_failed && !in.restart_failed) return std::nullopt;
  const bool ac_clean_or_faults = !Positive(in.ac_divergent) || in.faults_only;
  if (in.control_faults_only && !ac_clean_or_faults) return std::nullopt;
  VerdictRow row = in.self_identity_failed ? Red("harness_nondeterminism", "SELF_IDENTITY")
                                           : Red("harness_nondeterminism", "RESTART_UNSTABLE");
  row.anomaly = in.self_identity_failed ? "self_identity_failed" : "restart_unstable";
  return in.control_faults_only ? Infrastructure(std::move(row)) : row;
}

/// Rows 1a to 1c.
[[nodiscard]] std::optional<VerdictRow> DivergenceRow(const VerdictInputs& in) {
  if (!Positive(in.ac_divergent)) return std::nullopt;
  if (in.arm_missing) {
    VerdictRow row = Red(nullptr, "ARM_MISSING");
    row.anomaly = "arm_missing";
    return row;
  }
  // A cut prompt makes another experiment of the request: no verdict about batching, see
  // EvidenceRow.
  if (in.prompt_truncated && in.truncated_only && !in.faults_only) return std::nullopt;
  const bool ab_dirty = !in.ab_divergent || (*in.ab_divergent != 0 && !in.b_faults_only);
  VerdictRow row = ab_dirty ? Red("slot_allocation(+co_batching)", "AC_AB_DIVERGED")
                            : Red("co_batching", "AC_DIVERGED");
  if (in.faults_only) return Infrastructure(std::move(row));
  if (in.leak) {
    row.divergence_class = "leak";
    row.reason_codes.emplace_back("LEAK");
  }
  if (in.prompt_truncated) row.reason_codes.emplace_back("PROMPT_TRUNCATED");
  return row;
}

[[nodiscard]] bool InvalidReports(const VerdictInputs& in) {
  const auto bad = [](const std::optional<std::int64_t>& count) { return !count || *count < 0; };
  return bad(in.ac_divergent) || bad(in.ab_divergent) || bad(in.bc_divergent) ||
         in.ac_compared <= 0;
}

/// Rows 1d to 2c.
[[nodiscard]] std::optional<VerdictRow> EvidenceRow(const VerdictInputs& in) {
  const Condition conditions[] = {
      {in.prompt_truncated, "PROMPT_TRUNCATED", "prompt_truncated"},
      {in.invalid_input || InvalidReports(in) || in.self_identity_missing, "INVALID_INPUT",
       nullptr},
      {in.self_identity_missing, "A2_MISSING", nullptr},
      {in.trace_incomplete, "TRACE_INCOMPLETE", nullptr},
      {in.cached_prompt, "CACHED_PROMPT", nullptr},
      {in.control_fault, "CONTROL_FAULT", "control_arm_failed"},
      {!in.overlap_ok, "NO_OVERLAP", nullptr},
      {!in.floor_ok, "FLOOR", nullptr},
      {!in.coverage_ok || !in.width_ok, "COVERAGE", nullptr},
      {!in.width_ok, "WIDTH", nullptr},
      {in.positive_control_failed, "POSITIVE_CONTROL", nullptr},
  };
  std::optional<VerdictRow> row = FirstOf(Verdict::kUnverified, conditions);
  if (row && (in.prompt_truncated || in.control_fault)) row->divergence_class = "infrastructure";
  return row;
}

/// Rows 3 to 4d, and ids about which nothing is known.
[[nodiscard]] std::optional<VerdictRow> CaveatRow(const VerdictInputs& in) {
  const bool tokens = in.ac_token_only > 0;
  const bool framing = tokens && in.framing_only;
  const bool finish = tokens && in.finish_reason_only;
  const Condition conditions[] = {
      {Positive(in.ab_divergent), "B_DISAGREES", "AC_agree_B_disagrees"},
      {in.b2_disagrees, "B2_DISAGREES", "state_left_behind"},
      {tokens && in.token_only_drifted, "TOKEN_AND_LOGIT", "token_and_logit_drift"},
      {framing, "FRAMING", "framing_differs"},
      {finish, "FINISH_REASON", "finish_reason_differs"},
      {tokens && !in.token_only_drifted && !framing && !finish, "TOKEN_ONLY", nullptr},
      {in.identical_drifted, "LOGIT_ONLY", "logit_drift_only"},
      {in.control_token_drift, "CONTROL_TOKEN", "control_token_drift"},
      {in.serial_token_drift, "SERIAL_TOKEN", "serial_token_drift"},
      {in.uncertified_ids, "UNCERTIFIED_IDS", "uncertified_ids"},
  };
  return FirstOf(Verdict::kAmber, conditions);
}

/// What only GREEN asks for.
[[nodiscard]] std::optional<VerdictRow> SampleRow(const VerdictInputs& in) {
  const Condition conditions[] = {
      {in.few_prompts, "FEW_PROMPTS", nullptr},
  };
  return FirstOf(Verdict::kUnverified, conditions);
}

}  // namespace

VerdictRow DecideVerdict(const VerdictInputs& inputs) {
  for (const auto rows : {ControlRow, DivergenceRow, EvidenceRow, CaveatRow, SampleRow}) {
    if (std::optional<VerdictRow> row = rows(inputs)) return *std::move(row);
  }
  VerdictRow clean;
  clean.verdict = Verdict::kGreen;
  clean.reason_codes.emplace_back("CLEAN");
  return clean;
}

}  // namespace bi_test
