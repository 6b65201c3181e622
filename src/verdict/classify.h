#pragma once

#include "bi_test/policy.h"
#include "verdict/findings.h"
#include "verdict/judge_input.h"

namespace bi_test {

/// Reduces the findings to what the table of verdicts asks for, and fills in verdict, class, codes,
/// bounds and texts. `with_control`: the judgement's positive control was run and has to hold.
void Classify(const JudgeInput& input, const Policy& policy, bool with_control, Findings& findings);

}  // namespace bi_test
