#pragma once

#include <string>
#include <vector>

#include "bi_test/judgement.h"

namespace bi_test::matchers_internal {

/// `first id t3 in c3, field content, token index 17: "..." against "..."`.
[[nodiscard]] std::string Describe(const Divergence& divergence);

/// The same from the compared values alone, where the place is not known.
[[nodiscard]] std::string Describe(const FieldDifference& difference);

}  // namespace bi_test::matchers_internal
