#pragma once

#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "verdict/judge_input.h"

namespace bi_test {

/// Judges a prepared input. `with_control`: plant changes and judge them too, which is what `Judge`
/// does and what the planted judgements themselves must not do again.
[[nodiscard]] Judgement JudgeInputOnce(const JudgeInput& input, const Policy& policy,
                                       bool with_control);

}  // namespace bi_test
