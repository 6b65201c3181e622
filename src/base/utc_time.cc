#include "base/utc_time.h"

#include <algorithm>

namespace bi_test {
namespace {

constexpr std::string_view kShape = "0000-00-00T00:00:00Z";
constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kLast = 253402300799;  // 9999-12-31T23:59:59Z

[[nodiscard]] bool HasShape(std::string_view text) {
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
  }
  return true;
}

[[nodiscard]] int Digits(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) value = value * 10 + (text[i] - '0');
  return value;
}

[[nodiscard]] bool IsLeap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

[[nodiscard]] int DaysIn(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeap(year) ? 29 : kDays[month - 1];
}

/// Days from 1970-01-01 to the first of January of a year from 1970 on.
[[nodiscard]] std::int64_t DaysBefore(int year) {
  const int past = year - 1;
  const int leap_days = (past / 4 - past / 100 + past / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400);
  return std::int64_t{365} * (year - 1970) + leap_days;
}

void Append(std::string& out, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  out.append(width - std::min(width, digits.size()), '0');
  out += digits;
}

}  // namespace

std::optional<std::int64_t> ParseUtc(std::string_view text) {
  if (!HasShape(text)) return std::nullopt;
  const int year = Digits(text, 0, 4), month = Digits(text, 5, 2), day = Digits(text, 8, 2);
  const int hour = Digits(text, 11, 2), minute = Digits(text, 14, 2), second = Digits(text, 17, 2);
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > DaysIn(year, month)) {
    return std::nullopt;
  }
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  std::int64_t days = DaysBefore(year) + day - 1;
  for (int before = 1; before < month; ++before) days += DaysIn(year, before);
  return days * kDay + hour * 3600 + minute * 60 + second;
}

std::string UtcText(std::int64_t time) {
  time = std::clamp<std::int64_t>(time, 0, kLast);
  std::int64_t days = time / kDay;
  int year = 1970 + static_cast<int>(days / 366);  // not after the year that is looked for
  while (DaysBefore(year + 1) <= days) ++year;
  days -= DaysBefore(year);
  int month = 1;
  for (; days >= DaysIn(year, month); ++month) days -= DaysIn(year, month);
  const std::int64_t clock = time % kDay;
  std::string out;
  Append(out, year, 4);
  out += '-';
  Append(out, month, 2);
  out += '-';
  Append(out, days + 1, 2);
  out += 'T';
  Append(out, clock / 3600, 2);
  out += ':';
  Append(out, clock / 60 % 60, 2);
  out += ':';
  Append(out, clock % 60, 2);
  return out += 'Z';
}

}  // namespace bi_test
