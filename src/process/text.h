#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/safe_text.h"

namespace bi_test::process {

using bi_test::Printable;

/// The fields of a line, split at runs of spaces and tabs. They point into `line`.
[[nodiscard]] std::vector<std::string_view> SplitFields(std::string_view line);

/// The lines of a text without their ends; the last one may lack its newline.
[[nodiscard]] std::vector<std::string_view> SplitLines(std::string_view text);

/// A file whose size is not known beforehand, such as one below /proc; nothing when it cannot be
/// read or is larger than `max_bytes`.
[[nodiscard]] std::optional<std::string> ReadPseudoFile(const std::string& file,
                                                        std::size_t max_bytes);

}  // namespace bi_test::process
