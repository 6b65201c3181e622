#pragma once

#include <string>

#include "report/sweep_result.h"

namespace bi_test::report {

/// What a test prints for CTest and CDash: `CTEST_FULL_OUTPUT` first, so that output is kept whole,
/// then one CTestMeasurement line per property and one CTestMeasurementFile line per file with an
/// absolute path. To be printed at the start of a line.
[[nodiscard]] std::string CTestMeasurements(const CellResult& cell);

}  // namespace bi_test::report
