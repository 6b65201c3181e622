#pragma once

#include <string>
#include <string_view>

namespace bi_test::spark {

/// The code in an answer, trimmed: the first fenced block that is closed; else what follows a lone
/// fence line, or, when that is blank, what precedes it; else all lines that are no fence.
[[nodiscard]] std::string ExtractCode(std::string_view answer);

/// 1 when both have the same tokens; else their similarity, at most 0.30 when numbers, texts or
/// operators differ (the bug is not fixed) and 0.49 when only names or layout do. Not rounded.
///
/// Tokens are the runs of word characters and single other characters, without comments, white
/// space and the 0 of `range(0, n)`, and with a mark where a line begins further left than the one
/// before, so that a statement in another block is a difference.
[[nodiscard]] double ScoreCode(std::string_view candidate, std::string_view gold);

/// 1 - edit distance / longer length, in tokens; 1 for two texts without any.
[[nodiscard]] double TokenSimilarity(std::string_view x, std::string_view y);

}  // namespace bi_test::spark
