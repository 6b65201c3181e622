#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bi_test/scorer.h"

namespace bi_test {

/// In place of a name: the scorer is a program. No scorer may be registered under it.
inline constexpr std::string_view kCommandScorer = "command";

struct BuiltInScorer {
  std::string name;
  std::vector<ScorerOption> options;
  ScorerFactory make;
};

// One file each. What they score and what they take as the answer: docs/scorers.md.
[[nodiscard]] BuiltInScorer ExactScorerKind();
[[nodiscard]] BuiltInScorer NeedleScorerKind();
[[nodiscard]] BuiltInScorer ContainsScorerKind();
[[nodiscard]] BuiltInScorer NormalizedScorerKind();
[[nodiscard]] BuiltInScorer RegexScorerKind();
[[nodiscard]] BuiltInScorer NumberScorerKind();
[[nodiscard]] BuiltInScorer ChoiceScorerKind();
[[nodiscard]] BuiltInScorer JsonEqualScorerKind();
[[nodiscard]] BuiltInScorer JsonSubsetScorerKind();
[[nodiscard]] BuiltInScorer CodeBlockScorerKind();
[[nodiscard]] BuiltInScorer ToolCallScorerKind();

/// All of the above.
[[nodiscard]] std::vector<BuiltInScorer> BuiltInScorers();

}  // namespace bi_test
