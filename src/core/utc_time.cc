#include "core/utc_time.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace bi_test {
namespace {

using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;

constexpr std::string_view kShape = "0000-00-00T00:00:00Z";
constexpr std::int64_t kLast = 253402300799;  // 9999-12-31T23:59:59Z

[[nodiscard]] bool HasShape(std::string_view text) {
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
  }
  return true;
}

[[nodiscard]] unsigned Digits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    value = value * 10 + static_cast<unsigned>(text[i] - '0');
  }
  return value;
}

void Append(std::string& out, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  out.append(width - std::min(width, digits.size()), '0');
  out += digits;
}

}  // namespace

std::optional<std::int64_t> ParseUtc(std::string_view text) {
  if (!HasShape(text)) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(Digits(text, 0, 4))),
                                         std::chrono::month(Digits(text, 5, 2)),
                                         std::chrono::day(Digits(text, 8, 2))};
  const unsigned hour = Digits(text, 11, 2), minute = Digits(text, 14, 2),
                 second = Digits(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::int64_t midnight = seconds(sys_days(date).time_since_epoch()).count();
  if (midnight < 0) return std::nullopt;
  return midnight + hour * 3600 + minute * 60 + second;
}

std::string UtcText(std::int64_t time) {
  time = std::clamp<std::int64_t>(time, 0, kLast);
  const std::chrono::sys_seconds at{seconds(time)};
  const sys_days day = std::chrono::floor<days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  std::string out;
  Append(out, static_cast<int>(date.year()), 4);
  out += '-';
  Append(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  Append(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  Append(out, clock.hours().count(), 2);
  out += ':';
  Append(out, clock.minutes().count(), 2);
  out += ':';
  Append(out, clock.seconds().count(), 2);
  return out += 'Z';
}

}  // namespace bi_test
