#pragma once

#include <string>

#include "bi_test/json.h"

namespace bi_test {

/// Text of a family: a string as it is, `unknown` for null, else compact JSON.
[[nodiscard]] std::string FamilyText(const Json& family);

/// Text of a fill ratio: a finite number with two decimals, else `unknown`.
[[nodiscard]] std::string FillText(const Json& fill);

}  // namespace bi_test
