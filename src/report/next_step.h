#pragma once

#include <string>

#include "bi_test/cell_run.h"

namespace bi_test::report {

/// What a person should do about this outcome, one or two sentences.
[[nodiscard]] std::string NextStep(const CellRun& run);

}  // namespace bi_test::report
