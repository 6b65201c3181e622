#pragma once

#include <string>

#include "bi_test/cell.h"
#include "bi_test/cert.h"
#include "report/sweep_result.h"

namespace bi_test::report {

/// The row of a cert, details included; a damaged one is an error and has no verdict.
[[nodiscard]] CellResult RowFromCert(const Cert& cert, const Cell& cell, const std::string& path);

/// The row of a refusal file: an error with the text of the refusal.
[[nodiscard]] CellResult RowFromRefusal(const Json& document, const Cell& cell,
                                        const std::string& path);

}  // namespace bi_test::report
