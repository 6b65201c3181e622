#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bi_test/verdict.h"

namespace bi_test {

/// All the verdict depends on, as plain facts.
struct VerdictInputs {
  // Controls that decide whether batching can be judged at all.
  bool request_mismatch = false;       ///< Request bodies of one id differ between arms.
  bool self_identity_failed = false;   ///< A against A2: ids or fields differ.
  bool self_identity_missing = false;  ///< There is no A2.
  bool restart_failed = false;         ///< A against A3: fields differ.
  bool control_faults_only =
      false;  ///< What differs in these two is transport, deadline or server.

  // The reports. Null: the report is missing; negative: it is nonsense.
  std::optional<std::int64_t> ac_divergent, ab_divergent, bc_divergent;
  std::int64_t ac_compared = 0;
  bool arm_missing = false;     ///< Arm A or the union of arm C has no rows.
  bool faults_only = false;     ///< Every difference of AC is transport, deadline or server.
  bool truncated_only = false;  ///< ... or an id whose prompt was cut in some arm.
  bool leak = false;            ///< A differing answer is a neighbour's text.

  bool b_faults_only = false;  ///< Every difference of AB is such a fault.

  // Evidence.
  bool invalid_input = false;
  bool trace_incomplete = false;
  bool cached_prompt = false;
  bool prompt_truncated = false;
  bool control_fault = false;  ///< Arm B or its repeat differs by faults alone.
  bool overlap_ok = false;
  bool floor_ok = false;
  bool coverage_ok = false;
  bool width_ok = true;                  ///< Every pass was effective as far as its width goes.
  bool positive_control_failed = false;  ///< A planted change was not found.

  // Caveats.
  bool b2_disagrees = false;  ///< B against B2: fields differ.
  std::int64_t ac_token_only = 0;
  bool token_only_drifted = false;   ///< Armed, and one of the token-only ids is a drift id.
  bool identical_drifted = false;    ///< Armed, and a token-identical id is a drift id.
  bool framing_only = false;         ///< All token-only ids differ in framing alone.
  bool finish_reason_only = false;   ///< All token-only ids differ in finish_reason alone.
  bool control_token_drift = false;  ///< AB, BC or B against B2 has token-only ids.
  bool serial_token_drift = false;   ///< A against A2 or A3 has token-only ids.
  bool uncertified_ids = false;      ///< An id failed alike in A and C.

  bool few_prompts = false;  ///< Too few prompts for GREEN; no obstacle to AMBER.
};

/// A verdict and the codes behind it, the deciding one first.
struct VerdictRow {
  Verdict verdict = Verdict::kUnverified;
  std::optional<std::string> divergence_class;
  std::optional<std::string> anomaly;
  std::vector<std::string> reason_codes;
  bool transport_only = false;
};

/// The table of verdicts: total, first match wins. The codes of further conditions of the same
/// severity follow the deciding one.
[[nodiscard]] VerdictRow DecideVerdict(const VerdictInputs& inputs);

}  // namespace bi_test
