#pragma once

#include <vector>

#include "bi_test/exit_code.h"
#include "report/sweep_result.h"

namespace bi_test::session {

/// The one of two that counts (bi_test/exit_code.h).
[[nodiscard]] ExitCode Worse(ExitCode a, ExitCode b);

/// kExitError when a cell broke off before its verdict, else kExitNo when one did not pass. A cell
/// that was not reached says only that: why not has a code of its own.
[[nodiscard]] ExitCode StatusOf(const std::vector<report::CellResult>& rows);

}  // namespace bi_test::session
