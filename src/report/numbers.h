#pragma once

#include <cstdint>
#include <string>

namespace bi_test::report {

/// Fixed notation with that many decimals; never the locale's. `nan`, `inf` and `-inf` for the
/// rest.
[[nodiscard]] std::string Fixed(double value, int decimals);

/// Three significant digits without exponent where readable: `0.0618`, `7.42`, `41.2`, `1234`.
[[nodiscard]] std::string Figure(double value);

/// `1 id`, `3 ids`.
[[nodiscard]] std::string Count(std::int64_t n, const char* noun);

}  // namespace bi_test::report
