#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scorers/answer_json.h"

namespace bi_test::spark {

/// Text for loose comparison: ASCII letters in lower case, white space at the ends and the marks
/// around an answer (quotes, back-ticks, brackets, `.,;:!?<>`) gone.
[[nodiscard]] std::string Normalised(std::string_view text);

/// An integer in free text.
struct FoundInteger {
  std::int64_t value = 0;
  /// It follows `=`, `is` or `answer`.
  bool marked = false;
};

/// All of them, in order: ASCII digits that do not follow a letter, a digit, `_` or `.`; a minus
/// counts unless a digit or a closing bracket stands before it; `1,234` is 1234, `45.0` is 45.
/// Numbers with another fraction or an exponent, and those of more than 18 digits, are none.
[[nodiscard]] std::vector<FoundInteger> FindIntegers(std::string_view text);

/// The one that is meant as the answer: the last that is marked, else the last.
[[nodiscard]] std::optional<std::int64_t> AnswerInteger(std::string_view text);

/// Words of eight characters of A-Z and 0-9, in order, repeated ones included.
[[nodiscard]] std::vector<std::string> FindCodes(std::string_view text);

struct CalendarDay {
  int year = 0;
  int month = 0;
  int day = 0;
  friend bool operator==(const CalendarDay&, const CalendarDay&) = default;
};

/// Dates in order: `March 5, 2025`, `5 March 2025`, `2025-03-05`; the month also as three letters,
/// the day also as `5th`.
[[nodiscard]] std::vector<CalendarDay> FindDates(std::string_view text);

/// The first JSON object: strict UTF-8, whatever stands around it.
[[nodiscard]] FoundJson FindObject(std::string_view text);

/// The first line that is not blank, trimmed.
[[nodiscard]] std::string_view FirstLine(std::string_view text);

/// `a, b`.
[[nodiscard]] std::string JoinedWords(const std::vector<std::string>& words);

}  // namespace bi_test::spark
