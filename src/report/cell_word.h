#pragma once

#include <string>

#include "report/sweep_result.h"

namespace bi_test::report {

/// The word a matrix shows for a cell: its verdict, or `NOT RUN`, `ERROR`, `DAMAGED`, `SKIPPED`.
[[nodiscard]] std::string CellWord(const CellResult& cell);

/// `model ctx=C`, and `kv=K` where it is not f16; cleaned, one line.
[[nodiscard]] std::string RowTitle(const Cell& cell);

}  // namespace bi_test::report
