#pragma once

#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "bi_test/record.h"

namespace bi_test {

/// The verdict on a record: pure, total and deterministic. Does not depend on the order of trials.
/// Uncertainty always ends in a verdict that cannot be promoted. n log n in the number of trials.
/// Thread safe.
[[nodiscard]] Judgement Judge(const Record& record, const Policy& policy = {});

}  // namespace bi_test
