#pragma once

#include <string>

namespace bi_test {

/// The number as a cert writes it: shortest text that reads back to the same double, fixed for
/// decimal exponents -4..15, else scientific with a sign and at least two exponent digits, always
/// with `.0` when it would look like an integer. `NaN`, `Infinity`, `-Infinity` for what is not
/// finite. Independent of the locale.
[[nodiscard]] std::string DoubleText(double value);

/// Fixed notation with `digits` decimals, exact binary value, ties to even. `inf`, `nan` for what
/// is not finite.
[[nodiscard]] std::string FixedText(double value, int digits);

}  // namespace bi_test
