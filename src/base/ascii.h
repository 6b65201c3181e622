#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

/// Letters and digits of ASCII. Not those of <cctype>: results must not depend on the locale.
namespace bi_test {

[[nodiscard]] constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool IsLetter(char c) { return IsUpper(c) || IsLower(c); }
[[nodiscard]] constexpr char Lower(char c) {
  return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] inline std::string LowerText(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), Lower);
  return out;
}

/// Whether `needle` occurs in `text`; an empty one always does.
[[nodiscard]] inline bool ContainsText(std::string_view text, std::string_view needle,
                                       bool ignore_case) {
  if (ignore_case) return LowerText(text).find(LowerText(needle)) != std::string::npos;
  return text.find(needle) != std::string_view::npos;
}

}  // namespace bi_test
