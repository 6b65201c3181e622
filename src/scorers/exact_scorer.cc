#include "base/trim.h"
#include "scorers/built_in_scorers.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

class ExactScorer final : public TextScorer {
 public:
  ExactScorer() : TextScorer("exact", "1") {}

  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view response,
                             const Json& expected_answer, const ScorerItem&) const override {
    const std::string_view text = Trim(response);
    return !text.empty() && text == Trim(ExpectedText(expected_answer)) ? 1.0 : 0.0;
  }
};

}  // namespace

BuiltInScorer ExactScorerKind() {
  return {"exact", {}, [](const Json&) { return MakeShared<ExactScorer>(); }};
}

}  // namespace bi_test
