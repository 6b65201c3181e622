#pragma once

#include "bi_test/policy.h"
#include "verdict/findings.h"
#include "verdict/judge_input.h"

namespace bi_test {

/// Folds the passes of arm C into one and compares the arms pair by pair: fills in the reports, the
/// completion floor, and the ids about which nothing is known.
void CompareArms(const JudgeInput& input, const Policy& policy, Findings& findings);

}  // namespace bi_test
