#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bi_test::matchers_internal {

/// Hostile text on one line: sanitised, newline and tab spelled out, at most about `max_bytes`
/// long.
[[nodiscard]] std::string OneLine(std::string_view text, std::size_t max_bytes);

/// `"x part" against "y part"`: both texts from shortly before their first difference, clipped.
[[nodiscard]] std::string AroundFirstDifference(std::string_view x, std::string_view y);

}  // namespace bi_test::matchers_internal
