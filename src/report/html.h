#pragma once

#include <cstddef>
#include <string>

#include "report/sweep_result.h"

namespace bi_test::report {

/// The page stays below this, whatever the cells hold; what was left out is said in it.
inline constexpr std::size_t kMaxPageBytes = std::size_t{12} << 20U;

/// `index.html`: one page that needs nothing but itself. A content security policy forbids every
/// request and every script but its own; without script all is there, only the filters are not.
/// Links to files are relative to `page_dir`, the absolute folder the page will lie in; paths that
/// cannot be told relative to it are shown as text.
[[nodiscard]] std::string HtmlPage(const SweepResult& sweep, const std::string& page_dir);

}  // namespace bi_test::report
