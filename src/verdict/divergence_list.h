#pragma once

#include <vector>

#include "verdict/findings.h"
#include "verdict/occupancy.h"
#include "verdict/record_index.h"

namespace bi_test {

/// Finds, describes and orders the places where outputs part, in the passes of arm C and in the
/// serial arms: fills in divergences, their number, leaks, widths. `occupancies` holds one entry
/// per pass. The arms have been compared.
void ListDivergences(const RecordIndex& index, const std::vector<Occupancy>& occupancies,
                     Findings& findings);

}  // namespace bi_test
