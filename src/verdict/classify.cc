#include "verdict/classify.h"

#include <algorithm>

#include "verdict/pair_report.h"
#include "verdict/reasons.h"
#include "verdict/sample_statistics.h"
#include "verdict/verdict_rows.h"

namespace bi_test {
namespace {

[[nodiscard]] bool IsBrokenOff(const JudgeInput& input) {
  return input.complete && !*input.complete;
}

/// All AC differences are faults; rows that a broken-off trace does not hold are the harness's
/// fault.
[[nodiscard]] bool DifferencesAreFaults(const JudgeInput& input, const Findings& findings,
                                        bool or_truncated) {
  const std::vector<PassDifference>& differences = findings.passes.differences;
  const std::vector<std::uint32_t>& truncated = findings.requests.prompt_truncated;
  return !differences.empty() &&
         std::all_of(differences.begin(), differences.end(), [&](const PassDifference& one) {
           switch (one.kind) {
             case DifferenceKind::kOutput:
             case DifferenceKind::kFault:
               return true;
             case DifferenceKind::kMissing:
               return IsBrokenOff(input);
             case DifferenceKind::kField:
               return or_truncated &&
                      std::binary_search(truncated.begin(), truncated.end(), one.id);
           }
           return false;
         });
}

void GatherControls(const JudgeInput& input, const Findings& findings, VerdictInputs& in) {
  const RecordIndex& index = input.index;
  const Judgement& found = findings.judgement;
  const auto differs = [](const auto& report) { return report && report->n_divergent > 0; };
  const auto faults_only = [&](const RowMap& x, const RowMap& y, bool y_is_sample) {
    return OnlyFaultsDiffer(x, y, findings.comparer, y_is_sample);
  };
  in.request_mismatch = !findings.requests.request_mismatch.empty();
  in.self_identity_missing = index.a2.empty() && !index.a.empty();
  in.self_identity_failed = !index.a.empty() && !index.a2.empty() && differs(&found.aa2);
  in.restart_failed = differs(found.aa3);
  in.control_faults_only =
      (!differs(&found.aa2) || faults_only(index.a, index.a2, A2IsSample(input))) &&
      (!differs(found.aa3) || faults_only(index.a, index.a3, true));
  in.b_faults_only = differs(&found.ab) && faults_only(index.a, index.b, false);
  const bool b2_faults_only = differs(found.bb2) && faults_only(index.b, index.b2, true);
  in.control_fault = in.b_faults_only || b2_faults_only;
  in.b2_disagrees = differs(found.bb2) && !b2_faults_only;
  const auto drifts = [](const auto& report) {
    return report && !report->token_divergence_ids.empty();
  };
  in.control_token_drift = drifts(&found.ab) || drifts(&found.bc) || drifts(found.bb2);
  in.serial_token_drift = drifts(&found.aa2) || drifts(found.aa3);
}

void GatherEvidence(const JudgeInput& input, const Findings& findings, VerdictInputs& in) {
  const Judgement& found = findings.judgement;
  in.invalid_input = !input.problems.empty();
  in.trace_incomplete = IsBrokenOff(input);
  in.cached_prompt = !findings.requests.cached_prompt.empty();
  in.prompt_truncated = !findings.requests.prompt_truncated.empty();
  in.overlap_ok = found.overlap_ok;
  in.floor_ok = found.floor.completion_floor_ok;
  const auto all_passes = [&](bool PassReport::*flag) {
    return static_cast<int>(found.passes.size()) == input.n_passes_planned &&
           std::all_of(found.passes.begin(), found.passes.end(),
                       [flag](const PassReport& pass) { return pass.*flag; });
  };
  in.coverage_ok = all_passes(&PassReport::coverage_ok);
  in.width_ok = all_passes(&PassReport::width_ok);
}

void GatherDrift(const PairReport& ac, VerdictInputs& in) {
  if (!ac.logit_drift.armed) return;
  for (const std::string& id : ac.logit_drift.logit_drift_ids) {
    const auto holds = [&id](const std::vector<std::string>& ids) {
      return std::binary_search(ids.begin(), ids.end(), id);
    };
    if (holds(ac.token_divergence_ids)) {
      in.token_only_drifted = true;
    } else if (!holds(ac.divergent_ids)) {
      in.identical_drifted = true;
    }
  }
}

[[nodiscard]] VerdictInputs Gather(const JudgeInput& input, const Policy& policy, bool with_control,
                                   const Findings& findings) {
  const Judgement& found = findings.judgement;
  VerdictInputs in;
  GatherControls(input, findings, in);
  GatherEvidence(input, findings, in);
  GatherDrift(found.ac, in);
  in.ac_divergent = found.ac.n_divergent;
  in.ab_divergent = found.ab.n_divergent;
  in.bc_divergent = found.bc.n_divergent;
  in.ac_compared = found.ac.n_compared;
  in.arm_missing = input.index.a.empty() || findings.passes.rows.empty();
  in.faults_only = DifferencesAreFaults(input, findings, false);
  in.truncated_only = DifferencesAreFaults(input, findings, true);
  in.leak = found.n_leaks > 0;
  in.positive_control_failed = with_control && !found.positive_control_ok;
  in.ac_token_only = static_cast<std::int64_t>(found.ac.token_divergence_ids.size());
  in.framing_only = found.ac.framing_ids.size() == found.ac.token_divergence_ids.size();
  in.finish_reason_only = found.ac.finish_reason_ids.size() == found.ac.token_divergence_ids.size();
  in.uncertified_ids = findings.failed_alike;
  in.few_prompts = found.statistics.n_effective_prompts < policy.min_effective_prompts;
  return in;
}

}  // namespace

void Classify(const JudgeInput& input, const Policy& policy, bool with_control,
              Findings& findings) {
  const VerdictInputs in = Gather(input, policy, with_control, findings);
  VerdictRow row = DecideVerdict(in);
  Judgement& out = findings.judgement;
  out.verdict = row.verdict;
  out.divergence_class = std::move(row.divergence_class);
  out.anomaly = std::move(row.anomaly);
  out.reason_codes = std::move(row.reason_codes);
  out.transport_only = row.transport_only;
  FillBounds(out.statistics, out.verdict);
  out.mismatch = MismatchText(out, in, input.index.a.empty());
  out.decision_reasons = DecisionReasons(out, input.cell, input.problems, policy);
  if (!findings.requests.truncation.empty()) {
    out.decision_reasons.push_back(findings.requests.truncation);
  }
}

}  // namespace bi_test
