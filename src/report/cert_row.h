#pragma once

#include <optional>
#include <string>

#include "bi_test/cell.h"
#include "bi_test/cell_run.h"
#include "bi_test/cert.h"
#include "report/sweep_result.h"

namespace bi_test::report {

/// The cell a cert or a refusal file is about (the latter has it under `cell`); nullopt when the
/// document does not name one that can be.
[[nodiscard]] std::optional<Cell> CellOfDocument(const Json& document);

/// The run a cert tells of, as far as it holds it: no trials, lists that may be cut, no times.
/// Whatever is missing or of a wrong type stays as if it was not measured.
[[nodiscard]] CellRun RunFromCert(const Cert& cert);

/// Why the cert may not be believed: its digest does not fit, there is none, or verdict and status
/// contradict each other. Empty when none of that holds.
[[nodiscard]] std::string DamageOf(const Cert& cert);

/// The row of a cert, details included; a damaged one is an error and has no verdict.
[[nodiscard]] CellResult RowFromCert(const Cert& cert, const Cell& cell, const std::string& path);

/// The row of a refusal file: an error with the text of the refusal.
[[nodiscard]] CellResult RowFromRefusal(const Json& document, const Cell& cell,
                                        const std::string& path);

}  // namespace bi_test::report
