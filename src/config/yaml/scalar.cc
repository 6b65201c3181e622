#include "config/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/ascii.h"

namespace bi_test::config {
namespace {

using std::chrono::milliseconds;

// Takes the digits at the front of `text`.
std::string_view TakeDigits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, IsDigit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

bool IsWholeNumber(std::string_view digits) {
  return !digits.empty() && (digits.size() == 1 || digits.front() != '0') &&
         std::ranges::all_of(digits, IsDigit);
}

template <typename T>
std::optional<T> FromText(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  if (!IsWholeNumber(text.starts_with('-') ? text.substr(1) : text)) return std::nullopt;
  return FromText<std::int64_t>(text);
}

std::optional<std::uint64_t> ParseUnsigned(std::string_view text) {
  if (!IsWholeNumber(text)) return std::nullopt;
  return FromText<std::uint64_t>(text);
}

std::optional<double> ParseReal(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('-')) rest.remove_prefix(1);
  if (!IsWholeNumber(TakeDigits(rest))) return std::nullopt;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    if (TakeDigits(rest).empty()) return std::nullopt;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
    if (TakeDigits(rest).empty()) return std::nullopt;
  }
  if (!rest.empty()) return std::nullopt;
  const std::optional<double> value = FromText<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<milliseconds> ParseDuration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kUnits = {
      {{"", 1'000}, {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}}};
  constexpr std::int64_t kMost = 3'600'000'000;
  const std::string_view digits = TakeDigits(text);
  if (!IsWholeNumber(digits)) return std::nullopt;
  const auto unit =
      std::ranges::find(kUnits, text, &std::pair<std::string_view, std::int64_t>::first);
  const std::optional<std::int64_t> count = FromText<std::int64_t>(digits);
  if (unit == kUnits.end() || !count || *count > kMost / unit->second) return std::nullopt;
  return milliseconds(*count * unit->second);
}

std::string ShortText(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end.ptr);
}

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = FromText<int>(text.substr(0, 4));
  const auto month = FromText<unsigned>(text.substr(5, 2));
  const auto day = FromText<unsigned>(text.substr(8, 2));
  if (!year || !month || !day || *year < 1) return false;
  return std::chrono::year_month_day(std::chrono::year(*year), std::chrono::month(*month),
                                     std::chrono::day(*day))
      .ok();
}

}  // namespace bi_test::config
