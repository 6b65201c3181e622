#pragma once

#include "bi_test/judgement.h"
#include "bi_test/policy.h"
#include "bi_test/record.h"
#include "verdict/record_index.h"
#include "verdict/service_view.h"

namespace bi_test {

/// What one concurrent pass showed, and whether it may count as a pass at width N.
///
/// A pass is effective when the server itself shows the width (mean of the counters at least
/// `min_width_fraction` of N, and N in service at once at some moment; without counters the sampled
/// peak must show N), when the client had at least two requests open, when the pass's own co-batch
/// coverage holds, and when more than one request was in service for half of the time.
[[nodiscard]] PassReport BuildPassReport(const RowMap& rows, const PassEvidence& evidence,
                                         int dispatch_n, const ServiceView& view,
                                         const CoverageReport& coverage, const Policy& policy);

/// Mean requests in service during a row's stay, rounded; a row that was not scored counts itself.
/// Null without a usable interval.
[[nodiscard]] std::optional<int> ObservedWidth(const Trial& trial, const ServiceView& view);

}  // namespace bi_test
