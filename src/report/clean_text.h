#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bi_test::report {

/// Makes hostile text fit for any report: valid UTF-8 of the XML 1.0 character set, no control
/// characters but newline and tab, at most `max_bytes` long, and without anything the programs that
/// read our output would obey: GoogleTest's own markers (CTest takes `[  SKIPPED ]` for a skip),
/// CTest measurement tags, `[[ATTACHMENT|` and `[[PROPERTY|` lines, CI workflow commands. Such a
/// sequence stays readable, with a space put into it or a bracket exchanged.
[[nodiscard]] std::string CleanText(std::string_view text, std::size_t max_bytes);

/// CleanText on one line: a newline shows as `\n`, a tab as `\t`.
[[nodiscard]] std::string CleanLine(std::string_view text, std::size_t max_bytes);

}  // namespace bi_test::report
