#pragma once

#include <string>
#include <string_view>

namespace bi_test::spark {

/// The code in an answer, trimmed: the first fenced block that is closed; else what follows a lone
/// fence line, or, when that is blank, what precedes it; else all lines that are no fence.
[[nodiscard]] std::string ExtractCode(std::string_view answer);

struct CodeScore {
  double score = 0.0;  ///< Not rounded.
  bool parsed = true;  ///< The candidate did.
};

/// 1 when both are the same program; 0 when the candidate does not parse; else their similarity, at
/// most 0.30 when operators or constants differ (the bug is not fixed) and 0.49 when only names or
/// layout do.
[[nodiscard]] CodeScore ScoreCode(std::string_view candidate, std::string_view gold);

/// 1 - edit distance / longer length, of the runs of word characters and single other characters; 1
/// for two texts without any.
[[nodiscard]] double TokenSimilarity(std::string_view x, std::string_view y);

}  // namespace bi_test::spark
