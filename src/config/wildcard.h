#pragma once

#include <string_view>

namespace bi_test::config {

/// Whether the whole of `text` matches `pattern`, in which `*` stands for any run of characters and
/// `?` for one. Linear in practice, at most |text| x |pattern|.
[[nodiscard]] bool MatchesWildcard(std::string_view text, std::string_view pattern);

/// Whether gtest's `--gtest_filter` grammar selects `full_name` (`Suite.Test`): positive patterns
/// divided by `:`, then, after the first `-`, negative ones. No positive pattern means `*`.
[[nodiscard]] bool MatchesGtestFilter(std::string_view full_name, std::string_view filter);

}  // namespace bi_test::config
