#include "base/ascii.h"
#include "base/trim.h"
#include "scorers/built_in_scorers.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

class NeedleScorer final : public TextScorer {
 public:
  NeedleScorer() : TextScorer("needle", "1") {}

  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view response,
                             const Json& expected_answer, const ScorerItem&) const override {
    const std::string expected = ExpectedText(expected_answer);
    const std::string_view needle = Trim(expected);
    return ContainsText(response, needle, /*ignore_case=*/true) ? 1.0 : 0.0;
  }
};

}  // namespace

BuiltInScorer NeedleScorerKind() {
  return {"needle", {}, [](const Json&) { return MakeShared<NeedleScorer>(); }};
}

}  // namespace bi_test
