#pragma once

#include "bi_test/json.h"

namespace bi_test {

/// Equality of two compared values: bytes of strings, exact mathematical value of numbers (`1`
/// equals `1.0`, the integer 2^53+1 does not equal the double 2^53), NaN equals nothing at any
/// depth, a bool is no number, arrays in order, objects by key whatever their order. Null equals
/// only null; a row field that is missing is null. There is no tolerance.
[[nodiscard]] bool EqualValues(const Json& x, const Json& y);

}  // namespace bi_test
