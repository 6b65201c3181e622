#pragma once

#include <string>
#include <string_view>

namespace bi_test::report {

/// The style sheet of the page.
[[nodiscard]] std::string_view PageStyle();

/// The script of the page: filters, and opening what a link or a printer asks for.
[[nodiscard]] std::string_view PageScript();

/// Content security policy that lets exactly these two in and forbids all else, network included.
[[nodiscard]] std::string PagePolicy();

}  // namespace bi_test::report
