#pragma once

#include <cstddef>
#include <string>

#include "report/sweep_result.h"
#include "report/terminal.h"

namespace bi_test::report {

/// How far one arm of the running cell has come.
struct ArmProgress {
  std::string cell;
  std::string arm;
  int done = 0;
  int total = 0;
  double elapsed_s = 0.0;  ///< Since the cell began.
};

/// For a terminal: returns to column one, writes at most `columns` columns, clears the rest. No
/// newline; write `kEraseLine` before any other output.
[[nodiscard]] std::string LiveLine(const ArmProgress& progress, std::size_t columns);
inline constexpr const char kEraseLine[] = "\r\x1b[K";

/// For a log: one plain line per arm, newline included.
[[nodiscard]] std::string ArmLine(const ArmProgress& progress);

/// The result of one cell, one line, newline included.
[[nodiscard]] std::string CellLine(const CellResult& cell, const Palette& palette);

/// The end of a run: matrix model x ctx x N, frontier of each model and ctx, throughput, totals.
/// Never contains one of GoogleTest's markers.
[[nodiscard]] std::string Summary(const SweepResult& sweep, const Palette& palette);

}  // namespace bi_test::report
