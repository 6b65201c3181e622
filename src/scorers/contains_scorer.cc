#include "base/ascii.h"
#include "base/trim.h"
#include "scorers/built_in_scorers.h"
#include "scorers/scorer_options.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

class ContainsScorer final : public TextScorer {
 public:
  explicit ContainsScorer(const Json& options)
      : TextScorer("contains", "1"),
        ignore_case_(FlagOption(options, "ignore_case")),
        any_(TextOption(options, "match") == "any") {}

  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view response,
                             const Json& expected_answer, const ScorerItem&) const override {
    const Json::Array one = {expected_answer};
    const Json::Array& wanted = expected_answer.is_array() ? *expected_answer.if_array() : one;
    std::size_t found = 0;
    for (const Json& text : wanted) found += IsIn(response, text) ? 1 : 0;
    return (any_ ? found > 0 : found == wanted.size() && found > 0) ? 1.0 : 0.0;
  }

 private:
  /// A blank text would be in everything, and say nothing.
  bool IsIn(std::string_view response, const Json& wanted) const {
    const std::string text = ExpectedText(wanted);
    const std::string_view needle = Trim(text);
    return !needle.empty() && ContainsText(response, needle, ignore_case_);
  }

  const bool ignore_case_;
  const bool any_;
};

}  // namespace

BuiltInScorer ContainsScorerKind() {
  return {"contains",
          {Flag("ignore_case", false), Word("match", {"all", "any"})},
          [](const Json& options) { return MakeShared<ContainsScorer>(options); }};
}

}  // namespace bi_test
