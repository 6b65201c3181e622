#pragma once

#include "bi_test/json.h"
#include "bi_test/sweep.h"

namespace bi_test::run {

/// `request` of a trace header: what every request body has in common, and where rows ask for more,
/// what and which rows (`sampling`: rows that ask for the same in one entry, first ones first; a
/// long one as its digest; `n_sampling` of them in all). Bounded, whatever the work-set holds.
[[nodiscard]] Json RequestJson(const Sweep& sweep);

}  // namespace bi_test::run
