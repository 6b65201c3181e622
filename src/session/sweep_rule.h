#pragma once

#include <string_view>

#include "bi_test/sweep.h"
#include "report/sweep_result.h"

namespace bi_test::session {

/// Lets a row that ran pass or not by the rule of its sweep (config::Accept) on `today` (UTC,
/// `YYYY-MM-DD`). A row without a verdict stays as it is.
void ApplyRule(const Sweep& sweep, const SweepCell& cell, std::string_view today,
               report::CellResult& row);

/// The same for a row that was read from a folder: one of a cell that the sweep does not hold stays
/// as it is.
void ApplyRule(const Sweep& sweep, std::string_view today, report::CellResult& row);

}  // namespace bi_test::session
