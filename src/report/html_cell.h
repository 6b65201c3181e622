#pragma once

#include <string>
#include <string_view>

#include "report/sweep_result.h"

namespace bi_test::report {

/// Element content; at most `max_bytes` of the text.
[[nodiscard]] std::string Html(std::string_view text, std::size_t max_bytes = 400);

/// `<span class="v red">RED</span>`: the word of a cell, never colour alone.
[[nodiscard]] std::string VerdictBadge(const CellResult& cell);

/// `red`, `not-run`...: the word of a cell as a class and a value to filter by.
[[nodiscard]] std::string VerdictSlug(const CellResult& cell);

/// How much of a cell its section shows.
enum class SectionSize : std::uint8_t {
  kFull,
  kShort,  ///< Verdict, message, next step and files only; says that the rest was left out.
};

/// The section of one cell: a `details` element with the id `cell-<index>`.
[[nodiscard]] std::string CellSection(const CellResult& cell, std::size_t index, bool open,
                                      const std::string& page_dir, SectionSize size);

}  // namespace bi_test::report
