#pragma once

#include <string>

#include "bi_test/sweep.h"
#include "run/estimate.h"

namespace bi_test::run {

/// An estimate for people, some ten lines: memory, work-set, requests, time, planned power, command
/// lines.
[[nodiscard]] std::string EstimateText(const SweepCell& cell, const CellEstimate& estimate,
                                       const GuardConfig& guard);

}  // namespace bi_test::run
