#include "report/numbers.h"

#include <array>
#include <charconv>
#include <cmath>

namespace bi_test::report {

std::string Fixed(double value, int decimals) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 400> buffer{};  // DBL_MAX has 309 digits before the point.
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, decimals);
  return {buffer.data(), end.ptr};
}

std::string Figure(double value) {
  const double size = std::fabs(value);
  if (!std::isfinite(value) || size >= 100) return Fixed(value, 0);
  if (size >= 10) return Fixed(value, 1);
  if (size >= 1) return Fixed(value, 2);
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, 3);
  return {buffer.data(), end.ptr};
}

std::string Count(std::int64_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace bi_test::report
