#pragma once

#include <string_view>
#include <vector>

namespace bi_test {

/// The lines of a text without their ends; the last one may lack its newline. They point into
/// `text`.
[[nodiscard]] std::vector<std::string_view> SplitLines(std::string_view text);

/// The fields of a line, split at runs of spaces and tabs. They point into `line`.
[[nodiscard]] std::vector<std::string_view> SplitFields(std::string_view line);

}  // namespace bi_test
