#pragma once

#include <string_view>
#include <vector>

#include "bi_test/judgement.h"
#include "verdict/occupancy.h"
#include "verdict/record_index.h"

namespace bi_test {

/// Co-batch coverage of one pass (contract section 7), all but the lists of ids. `occupancy` must
/// have been made from `rows`.
[[nodiscard]] CoverageReport BuildCoverage(const RowMap& rows, const Occupancy& occupancy,
                                           double min_coverage_fraction);

/// Fills in the lists of ids of a report of the same rows.
void NameCoverageIds(CoverageReport& report, const RowMap& rows, const Occupancy& occupancy,
                     const std::vector<std::string_view>& ids);

/// Ids of the pass that shared the server with another one, ascending.
[[nodiscard]] std::vector<std::uint32_t> CoBatchedIds(const Occupancy& occupancy);

}  // namespace bi_test
