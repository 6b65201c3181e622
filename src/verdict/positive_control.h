#pragma once

#include "bi_test/policy.h"
#include "verdict/findings.h"
#include "verdict/judge_input.h"

namespace bi_test {

struct ControlResult {
  int n_planted = 0;
  int n_found = 0;
};

/// The positive control of a judgement: in copies of the record one trial of arm C is given another
/// score, at most one copy per pass, and the same judge has to answer RED for that very id. The
/// copies hold a sample of the ids that agree so far, so that the cost does not grow with the
/// record. Nothing is planted when no id agrees.
[[nodiscard]] ControlResult RunPositiveControl(const JudgeInput& input, const Policy& policy,
                                               const Findings& findings);

}  // namespace bi_test
