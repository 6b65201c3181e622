#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/sweep_result.h"

namespace bi_test::report {

/// A summary is smaller than this: CI step summaries end at 1 MiB, and nobody reads more.
inline constexpr std::size_t kMaxMarkdownBytes = std::size_t{60} << 10U;

/// `summary.md`: totals, matrix, frontier, what did not pass with its first difference, next steps,
/// files. GitHub-flavoured tables; what was left out for length is said.
[[nodiscard]] std::string MarkdownSummary(const SweepResult& sweep, const std::string& page_dir);

/// Text that stays text wherever it stands in Markdown: cleaned, one line, and every character that
/// could begin markup, a link, a mention, a reference or a table cell as a numeric entity.
[[nodiscard]] std::string MarkdownText(std::string_view text, std::size_t max_bytes);

}  // namespace bi_test::report
