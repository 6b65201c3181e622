#pragma once

#include "bi_test/policy.h"
#include "verdict/judge_input.h"
#include "verdict/pass_union.h"
#include "verdict/row_compare.h"
#include "verdict/survey.h"

namespace bi_test {

struct ControlResult {
  int n_planted = 0;
  int n_found = 0;
};

/// The positive control of a judgement (design.md 5): in copies of the record one trial of arm C is
/// given another score, at most one copy per pass, and the same judge has to answer RED for that
/// very id. The copies hold a sample of the ids that agree so far, so that the cost does not grow
/// with the record. Nothing is planted when no id agrees.
[[nodiscard]] ControlResult RunPositiveControl(const JudgeInput& input, const PassUnion& passes,
                                               const Survey& survey, const Policy& policy,
                                               const RowComparer& comparer);

}  // namespace bi_test
