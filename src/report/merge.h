#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/sweep_result.h"

namespace bi_test::report {

/// A row that was read from a file of an out dir.
struct FoundRow {
  CellResult row;
  std::string dir;  ///< The folder it was found in.
};

/// One row per cell, in the order of model, ctx, N and KV type. Of several rows of one cell the
/// newest by `ts_utc` counts and carries a note about the others; a damaged cert counts before all,
/// because its time may be as wrong as the rest, and of equally old ones the worse.
[[nodiscard]] std::vector<CellResult> MergeRows(std::vector<FoundRow> found);

/// Rows of the cells this process knows of, with what was read of them: order, test names,
/// sign-offs, outcome and times are those of `own`, details come from `read`. Cells of `read` that
/// `own` lacks follow behind. A cell that `own` has not run keeps what was read only in a note.
[[nodiscard]] std::vector<CellResult> OverlayRows(std::vector<CellResult> own,
                                                  std::vector<CellResult> read);

}  // namespace bi_test::report
