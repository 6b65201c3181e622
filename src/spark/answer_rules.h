#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bi_test/json.h"
#include "bi_test/result.h"
#include "spark/failure_label.h"

namespace bi_test::spark {

/// What the rule of a family finds in an answer without knowing the right one.
struct ReadAnswer {
  /// The answer; nothing when none could be told apart.
  std::optional<std::string> answer;
  AnswerFault fault = AnswerFault::kNone;
};

/// Whether there is a rule for the family.
[[nodiscard]] bool HasRule(std::string_view family);

/// REQUIRES: HasRule(family).
[[nodiscard]] ReadAnswer ReadByRule(std::string_view family, std::string_view text);

/// The score, rounded to four decimals (two for D1). REQUIRES: HasRule(family) and a gold that
/// CheckGold accepts.
[[nodiscard]] double ScoreByRule(std::string_view family, std::string_view text, const Json& gold);

/// Whether the expected answer is of the type that the family's rule needs; true for families
/// without a rule.
[[nodiscard]] Status CheckGold(std::string_view family, const Json& gold);

}  // namespace bi_test::spark
