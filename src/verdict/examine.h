#pragma once

#include "bi_test/policy.h"
#include "verdict/findings.h"
#include "verdict/judge_input.h"

namespace bi_test {

/// Everything that is found out about an input before its verdict: compare, width, divergences,
/// statistics.
[[nodiscard]] Findings Examine(const JudgeInput& input, const Policy& policy);

}  // namespace bi_test
