#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bi_test/judgement.h"
#include "verdict/pass_union.h"
#include "verdict/record_index.h"

namespace bi_test {

/// Counts what was compared (design.md 5, contract 11.1): everything but the bounds, which depend
/// on the verdict. `co_batched[id]`: the id shared the server with another one in an effective
/// pass. `effective[p]`: pass p counts.
[[nodiscard]] SampleStatistics CountSample(const RecordIndex& index, const PassUnion& passes,
                                           const std::vector<bool>& co_batched,
                                           const std::vector<bool>& effective,
                                           int n_passes_planned);

/// Fills in bounds and intervals. Bounds that say "clean so far" stay null unless the verdict is
/// GREEN or AMBER.
void FillBounds(SampleStatistics& statistics, Verdict verdict);

}  // namespace bi_test
