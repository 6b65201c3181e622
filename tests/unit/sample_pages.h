#pragma once

#include <string>

#include "report/sweep_result.h"

namespace bi_test::testing_support {

/// SampleSweep as a page has it: with details, drift, a damaged cell, a leak, notes and a file that
/// could not be read. Paths lie under /out.
[[nodiscard]] report::SweepResult SamplePages();

/// SamplePages in which every text holds `text`, or its first 4 KB where it stands often.
[[nodiscard]] report::SweepResult PagesFullOf(const std::string& text);

/// So many cells, RED and GREEN in turn.
[[nodiscard]] report::SweepResult ManyCells(std::size_t n);

}  // namespace bi_test::testing_support
