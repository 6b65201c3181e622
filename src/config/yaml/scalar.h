#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bi_test::config {

/// `0`, `17`, `-3`: plain decimal digits. No leading zero, `+`, `_`, `0x`, exponent or blank;
/// nothing for those and for what does not fit.
[[nodiscard]] std::optional<std::int64_t> ParseInteger(std::string_view text);
[[nodiscard]] std::optional<std::uint64_t> ParseUnsigned(std::string_view text);

/// A finite number in plain (`0.1`) or scientific (`1e-1`) spelling, digits on both sides of a
/// point.
[[nodiscard]] std::optional<double> ParseReal(std::string_view text);

/// Whole seconds, or a whole number with `ms`, `s`, `m` or `h`, not negative, at most 1000 hours.
[[nodiscard]] std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text);

/// Shortest text that reads back as `value`, without a locale.
[[nodiscard]] std::string ShortText(double value);

/// A day of the calendar as `YYYY-MM-DD`.
[[nodiscard]] bool IsDate(std::string_view text);

}  // namespace bi_test::config
