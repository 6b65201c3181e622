#pragma once

#include "bi_test/cell_run.h"

namespace bi_test::testing_support {

/// Runs filled in by hand, without a judge: qwen2.5-0.5b, ctx 4096, N = 8, 48 ids, 8 passes.
[[nodiscard]] CellRun GreenRun();

/// 3 of 48 ids differ in arm C; the first difference is located.
[[nodiscard]] CellRun RedRun();

/// Two ids scored alike but gave another output.
[[nodiscard]] CellRun AmberRun();

/// Six of eight requests were in service at once.
[[nodiscard]] CellRun UnverifiedRun();

/// RED because the server died: no numeric difference.
[[nodiscard]] CellRun InfrastructureRun();

/// The server did not start; there is a refusal file and no cert.
[[nodiscard]] CellRun BrokenRun();

}  // namespace bi_test::testing_support
