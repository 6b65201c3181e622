#pragma once

#include <string_view>
#include <vector>

/// Texts cut into views that point into them.
namespace bi_test {

/// The pieces that `end` closes, empty ones too; the last one may lack its end.
[[nodiscard]] std::vector<std::string_view> SplitAt(std::string_view text, char end);

/// The lines without their ends, `\n` or `\r\n`.
[[nodiscard]] std::vector<std::string_view> SplitLines(std::string_view text);

/// The words between runs of spaces, tabs and line feeds.
[[nodiscard]] std::vector<std::string_view> SplitFields(std::string_view text);

}  // namespace bi_test
