#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Names as people write them: with wildcards, or misspelt.
namespace bi_test::config {

/// Whether the whole of `text` matches `pattern`, in which `*` stands for any run of characters and
/// `?` for one. Linear in practice, at most |text| x |pattern|.
[[nodiscard]] bool MatchesWildcard(std::string_view text, std::string_view pattern);

/// Whether gtest's `--gtest_filter` grammar selects `full_name` (`Suite.Test`): positive patterns
/// divided by `:`, then, after the first `-`, negative ones. No positive pattern means `*`.
[[nodiscard]] bool MatchesGtestFilter(std::string_view full_name, std::string_view filter);

/// Fewest insertions, deletions, replacements and swaps of neighbours (bytes, ASCII case ignored)
/// that turn one text into the other. Quadratic; only the first 128 bytes of each text count.
[[nodiscard]] std::size_t EditDistance(std::string_view a, std::string_view b);

/// The candidate that `word` was most likely meant to be: the nearest one, at most a third of its
/// length away, the first of several equally near. Empty when none is near.
[[nodiscard]] std::string NearestName(std::string_view word,
                                      const std::vector<std::string>& candidates);

/// ` (did you mean "name"?)` with the nearest candidate; empty when none is near, and for a word
/// that is one of them.
[[nodiscard]] std::string DidYouMean(std::string_view word,
                                     const std::vector<std::string>& candidates);

/// Up to `most` candidates that are near, contain the word or lie within it, best
/// first. Only the first 1000 candidates are looked at.
[[nodiscard]] std::vector<std::string> NearNames(std::string_view word,
                                                 const std::vector<std::string>& candidates,
                                                 std::size_t most);

}  // namespace bi_test::config
