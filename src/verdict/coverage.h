#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bi_test/judgement.h"
#include "verdict/occupancy.h"
#include "verdict/record_index.h"

namespace bi_test {

/// Ids of `n_ids` that have to have shared the server: the fraction of them, at least 2.
[[nodiscard]] std::int64_t RequiredCoBatched(double min_coverage_fraction, std::int64_t n_ids);

/// Co-batch coverage of one pass, all but the lists of ids. `occupancy` must have been made from
/// `rows`.
[[nodiscard]] CoverageReport BuildCoverage(const RowMap& rows, const Occupancy& occupancy,
                                           double min_coverage_fraction);

/// Fills in the lists of ids of a report of the same rows.
void NameCoverageIds(CoverageReport& report, const RowMap& rows, const Occupancy& occupancy,
                     const std::vector<std::string_view>& ids);

/// Ids of the pass that shared the server with another one, ascending.
[[nodiscard]] std::vector<std::uint32_t> CoBatchedIds(const Occupancy& occupancy);

}  // namespace bi_test
