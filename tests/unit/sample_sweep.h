#pragma once

#include <string>

#include "bi_test/cell_run.h"
#include "report/sweep_result.h"

namespace bi_test::testing_support {

/// The result of that run as cell `model`, `n` of cells.yaml.
[[nodiscard]] report::CellResult ResultOf(CellRun run, const std::string& model, int n);

/// Two models: one with every verdict, a signed-off AMBER, a broken and an unreached cell; one that
/// is clean throughout or skipped.
[[nodiscard]] report::SweepResult SampleSweep();

/// Everything a hostile model or file may hold: ANSI, NUL, `]]>`, markup, bad UTF-8, U+FFFE, a CR,
/// a gtest marker, CTest tags, attachment and workflow lines.
[[nodiscard]] std::string HostileText();

}  // namespace bi_test::testing_support
