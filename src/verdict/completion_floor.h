#pragma once

#include <cstdint>

#include "bi_test/judgement.h"
#include "verdict/record_index.h"

namespace bi_test {

/// ceil(fraction * n) without being misled by a product such as 0.8 * 5 that lands above the
/// integer.
[[nodiscard]] std::int64_t CeilOfFraction(double fraction, std::int64_t n);

/// The completion floor over arm A and the union of arm C. `n_compared` is that of the AC report;
/// with nothing compared the floor is not met.
[[nodiscard]] CompletionFloor CheckFloor(const RowMap& a, const RowMap& b, const RowMap& union_c,
                                         std::int64_t n_compared, double min_ok_fraction);

}  // namespace bi_test
