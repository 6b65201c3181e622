#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bi_test/cell.h"
#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "verdict/verdict_rows.h"

namespace bi_test {

/// A value in a text: compact JSON, at most 200 bytes and then `...`.
[[nodiscard]] std::string RenderValue(const Json& value);

/// The mismatch text of a RED, null for every other verdict.
[[nodiscard]] std::optional<std::string> MismatchText(const Judgement& judgement,
                                                      const VerdictInputs& inputs,
                                                      bool arm_a_is_empty);

/// `decision_reasons` in the order of a cert. `problems` are the lines of an invalid record.
[[nodiscard]] std::vector<std::string> DecisionReasons(const Judgement& judgement, const Cell& cell,
                                                       const std::vector<std::string>& problems,
                                                       const Policy& policy);

}  // namespace bi_test
