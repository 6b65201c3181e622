#include "scorers/built_in_scorers.h"

namespace bi_test {

std::vector<BuiltInScorer> BuiltInScorers() {
  return {ExactScorerKind(),      NeedleScorerKind(),    ContainsScorerKind(),
          NormalizedScorerKind(), RegexScorerKind(),     NumberScorerKind(),
          ChoiceScorerKind(),     JsonEqualScorerKind(), JsonSubsetScorerKind(),
          CodeBlockScorerKind(),  ToolCallScorerKind()};
}

}  // namespace bi_test
