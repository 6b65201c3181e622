#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bi_test {

/// Seconds since 1970 of a time written exactly as `YYYY-MM-DDTHH:MM:SSZ` (years 1970 to 9999, no
/// leap seconds); nothing for any other text.
[[nodiscard]] std::optional<std::int64_t> ParseUtc(std::string_view text);

/// The text of a time that `ParseUtc` could have given; later times than it can write are its last.
[[nodiscard]] std::string UtcText(std::int64_t seconds);

}  // namespace bi_test
