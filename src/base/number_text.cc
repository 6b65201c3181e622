#include "base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace bi_test {

std::string DoubleText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  std::string text(buffer.data(), end.ptr);
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  if (exponent < -4 || exponent > 15) {
    return text;  // to_chars writes a sign and at least two digits, as a cert wants
  }
  std::string out;
  std::string digits;
  for (std::size_t i = 0; i < e; ++i) {
    if (text[i] == '-') {
      out += '-';
    } else if (text[i] != '.') {
      digits += text[i];
    }
  }
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    return out.append(digits);
  }
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  out.append(digits, 0, whole);
  if (digits.size() <= whole) return out.append(whole - digits.size(), '0').append(".0");
  out += '.';
  return out.append(digits, whole);
}

std::string FixedText(double value, int digits) {
  std::array<char, 400> buffer{};  // 309 digits before the point at most
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, digits);
  return std::string(buffer.data(), end.ptr);
}

}  // namespace bi_test
