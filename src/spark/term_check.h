#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bi_test::spark {

/// Tells filler that would give a question away, or a second answer. Terms are words or phrases;
/// one matches where no letter, digit or `_` stands right before or after it. ASCII case is
/// ignored.
class TermCheck {
 public:
  explicit TermCheck(const std::vector<std::string>& terms);

  [[nodiscard]] bool Holds(std::string_view text) const;

 private:
  std::vector<std::string> terms_;
};

/// Whether `term` stands in `text` as above; both in lower case.
[[nodiscard]] bool HasWord(std::string_view text, std::string_view term);

/// ASCII letters in lower case. Not the locale's: the result is the same on every machine.
[[nodiscard]] std::string LowerAscii(std::string_view text);

[[nodiscard]] constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/// A letter, digit or `_`.
[[nodiscard]] constexpr bool IsWordCharacter(char c) {
  return IsDigit(c) || IsLetter(c) || c == '_';
}
[[nodiscard]] constexpr bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace bi_test::spark
