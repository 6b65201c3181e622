#pragma once

#include <cstdint>

#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "bi_test/record.h"
#include "verdict/occupancy.h"
#include "verdict/record_index.h"

namespace bi_test {

/// Slots of the server that have to be busy at one moment for N requests to count as concurrent:
/// three quarters of them, rounded up, and at least 2.
[[nodiscard]] std::int64_t RequiredBusySlots(std::int64_t n);

/// What one concurrent pass showed, and whether it may count as a pass at width N.
///
/// A pass is effective when the server itself shows the width (mean of the counters at least
/// `min_width_fraction` of N, and N in service at once at some moment; without counters the sampled
/// peak must show N), when the client had at least two requests open, when the pass's own co-batch
/// coverage holds, and when more than one request was in service for half of the time.
[[nodiscard]] PassReport BuildPassReport(const RowMap& rows, const PassEvidence& evidence,
                                         int dispatch_n, const Occupancy& occupancy,
                                         const CoverageReport& coverage, const Policy& policy);

/// Mean requests in service during a row's stay, rounded; a row that was not scored counts itself.
/// Null without a usable interval.
[[nodiscard]] std::optional<int> ObservedWidth(const Trial& trial, const Occupancy& occupancy);

}  // namespace bi_test
