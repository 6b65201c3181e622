#pragma once

#include <vector>

#include "bi_test/policy.h"
#include "verdict/findings.h"
#include "verdict/judge_input.h"
#include "verdict/occupancy.h"

namespace bi_test {

/// Reports every pass of arm C, and sums up what they show of the width: overlap, passes that
/// count, coverage of the pass that has the least. `occupancies` holds one per pass.
void ReportPasses(const JudgeInput& input, const Policy& policy,
                  const std::vector<Occupancy>& occupancies, Findings& findings);

}  // namespace bi_test
