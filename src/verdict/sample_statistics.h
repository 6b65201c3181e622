#pragma once

#include <cstdint>
#include <vector>

#include "bi_test/judgement.h"
#include "verdict/occupancy.h"
#include "verdict/pass_union.h"
#include "verdict/record_index.h"

namespace bi_test {

/// Counts what was compared: everything but the bounds, which depend on the verdict. `reports` and
/// `occupancies` hold one entry per pass.
[[nodiscard]] SampleStatistics CountSample(const RecordIndex& index, const PassUnion& passes,
                                           const std::vector<PassReport>& reports,
                                           const std::vector<Occupancy>& occupancies,
                                           int n_passes_planned);

/// Fills in bounds and intervals. Bounds that say "clean so far" stay null unless the verdict is
/// GREEN or AMBER.
void FillBounds(SampleStatistics& statistics, Verdict verdict);

}  // namespace bi_test
