#pragma once

#include <string>

#include "bi_test/sweep.h"
#include "run/plan.h"

namespace bi_test::run {

/// Whether a launch can be made, as far as a plan can tell.
enum class Fit { kFits, kExceeds, kUnknown };

[[nodiscard]] Fit FitOf(const PlannedLaunch& launch);
/// OK, EXCEEDS, UNKNOWN.
[[nodiscard]] const char* FitName(Fit fit);

/// A plan for people, some ten lines: memory, work-set, requests, time, planned power, command
/// lines.
[[nodiscard]] std::string PlanText(const SweepCell& cell, const CellPlan& plan,
                                   const GuardConfig& guard);

}  // namespace bi_test::run
