#pragma once

#include <string>

#include "bi_test/trial.h"

namespace bi_test {

/// What people call pass `pass` of arm C: `c1`, `c2`, ... from pass 0 on.
[[nodiscard]] std::string PassName(int pass);

/// What people call a pass of an arm: `A`, `A2`, `A3`, `B`, `B2`, and for arm C `PassName`.
[[nodiscard]] std::string ArmPassName(Arm arm, int pass);

}  // namespace bi_test
