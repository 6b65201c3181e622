#include "verdict/verdict_rows.h"

#include "verdict/reason_codes.h"

namespace bi_test {
namespace {

using enum ReasonCode;

struct Condition {
  bool holds;
  ReasonCode code;
  const char* anomaly;
};

void AddCode(VerdictRow& row, ReasonCode code) {
  row.reason_codes.emplace_back(ReasonOf(code).name);
}

/// The row of the first condition that holds, with the codes of all that hold.
template <std::size_t N>
[[nodiscard]] std::optional<VerdictRow> FirstOf(Verdict verdict, const Condition (&conditions)[N]) {
  VerdictRow row;
  row.verdict = verdict;
  for (const Condition& condition : conditions) {
    if (!condition.holds) continue;
    if (row.reason_codes.empty() && condition.anomaly != nullptr) row.anomaly = condition.anomaly;
    AddCode(row, condition.code);
  }
  if (row.reason_codes.empty()) return std::nullopt;
  return row;
}

[[nodiscard]] VerdictRow Red(const char* divergence_class, ReasonCode code) {
  VerdictRow row;
  row.verdict = Verdict::kRed;
  if (divergence_class != nullptr) row.divergence_class = divergence_class;
  AddCode(row, code);
  return row;
}

[[nodiscard]] VerdictRow Infrastructure(VerdictRow row) {
  row.divergence_class = "infrastructure";
  row.transport_only = true;
  AddCode(row, kInfrastructure);
  return row;
}

[[nodiscard]] bool Positive(const std::optional<std::int64_t>& count) {
  return count.value_or(0) > 0;
}

/// Row 0: the baseline itself does not hold, so nothing can be said about batching.
[[nodiscard]] std::optional<VerdictRow> ControlRow(const VerdictInputs& in) {
  if (in.request_mismatch) {
    VerdictRow row = Red("request_mismatch", kRequestMismatch);
    row.anomaly = "request_mismatch";
    return row;
  }
  if (!in.self_identity_failed && !in.restart_failed) return std::nullopt;
  const bool ac_clean_or_faults = !Positive(in.ac_divergent) || in.faults_only;
  if (in.control_faults_only && !ac_clean_or_faults) return std::nullopt;
  VerdictRow row = in.self_identity_failed ? Red("harness_nondeterminism", kSelfIdentity)
                                           : Red("harness_nondeterminism", kRestartUnstable);
  row.anomaly = in.self_identity_failed ? "self_identity_failed" : "restart_unstable";
  return in.control_faults_only ? Infrastructure(std::move(row)) : row;
}

/// Rows 1a to 1c.
[[nodiscard]] std::optional<VerdictRow> DivergenceRow(const VerdictInputs& in) {
  if (!Positive(in.ac_divergent)) return std::nullopt;
  if (in.arm_missing) {
    VerdictRow row = Red(nullptr, kArmMissing);
    row.anomaly = "arm_missing";
    return row;
  }
  // A cut prompt makes another experiment of the request: no verdict about batching, see
  // EvidenceRow.
  if (in.prompt_truncated && in.truncated_only && !in.faults_only) return std::nullopt;
  const bool ab_dirty = !in.ab_divergent || (*in.ab_divergent != 0 && !in.b_faults_only);
  VerdictRow row = ab_dirty ? Red("slot_allocation(+co_batching)", kAcAbDiverged)
                            : Red("co_batching", kAcDiverged);
  if (in.faults_only) return Infrastructure(std::move(row));
  if (in.leak) {
    row.divergence_class = "leak";
    AddCode(row, kLeak);
  }
  if (in.prompt_truncated) AddCode(row, kPromptTruncated);
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
      {in.prompt_truncated, kPromptTruncated, "prompt_truncated"},
      {in.invalid_input || InvalidReports(in) || in.self_identity_missing, kInvalidInput, nullptr},
      {in.self_identity_missing, kA2Missing, nullptr},
      {in.trace_incomplete, kTraceIncomplete, nullptr},
      {in.cached_prompt, kCachedPrompt, nullptr},
      {in.control_fault, kControlFault, "control_arm_failed"},
      {!in.overlap_ok, kNoOverlap, nullptr},
      {!in.floor_ok, kFloor, nullptr},
      {!in.coverage_ok || !in.width_ok, kCoverage, nullptr},
      {!in.width_ok, kWidth, nullptr},
      {in.positive_control_failed, kPositiveControl, nullptr},
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
      {Positive(in.ab_divergent), kBDisagrees, "AC_agree_B_disagrees"},
      {in.b2_disagrees, kB2Disagrees, "state_left_behind"},
      {tokens && in.token_only_drifted, kTokenAndLogit, "token_and_logit_drift"},
      {framing, kFraming, "framing_differs"},
      {finish, kFinishReason, "finish_reason_differs"},
      {tokens && !in.token_only_drifted && !framing && !finish, kTokenOnly, nullptr},
      {in.identical_drifted, kLogitOnly, "logit_drift_only"},
      {in.control_token_drift, kControlToken, "control_token_drift"},
      {in.serial_token_drift, kSerialToken, "serial_token_drift"},
      {in.uncertified_ids, kUncertifiedIds, "uncertified_ids"},
  };
  return FirstOf(Verdict::kAmber, conditions);
}

/// What only GREEN asks for.
[[nodiscard]] std::optional<VerdictRow> SampleRow(const VerdictInputs& in) {
  const Condition conditions[] = {
      {in.few_prompts, kFewPrompts, nullptr},
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
  AddCode(clean, kClean);
  return clean;
}

}  // namespace bi_test
