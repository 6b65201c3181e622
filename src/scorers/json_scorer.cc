#include "base/equality.h"
#include "scorers/answer_json.h"
#include "scorers/built_in_scorers.h"
#include "scorers/json_subset.h"
#include "scorers/scorer_options.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

/// A gold answer that is text may be JSON in a text, as work-set files often have it.
Json Wanted(const Json& expected_answer) {
  const std::string* text = expected_answer.if_string();
  if (text == nullptr) return expected_answer;
  std::optional<Json> value = ReadWholeJson(*text);
  return value ? *std::move(value) : expected_answer;
}

class JsonScorer final : public TextScorer {
 public:
  JsonScorer(std::string_view name, bool subset, const Json& options)
      : TextScorer(name, "1"), subset_(subset), whole_(TextOption(options, "from") == "whole") {}

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    const std::optional<Json> found = Find(response);
    if (!found) return std::nullopt;
    return CompactText(*found);
  }
  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view response,
                             const Json& expected_answer, const ScorerItem&) const override {
    const std::optional<Json> found = Find(response);
    if (!found) return 0.0;
    const Json wanted = Wanted(expected_answer);
    return (subset_ ? HoldsJson(*found, wanted) : EqualValues(*found, wanted)) ? 1.0 : 0.0;
  }

 private:
  std::optional<Json> Find(std::string_view response) const {
    return whole_ ? ReadWholeJson(response) : FindJson(response);
  }

  const bool subset_;
  const bool whole_;
};

BuiltInScorer Kind(const char* name, bool subset) {
  return {name, {Word("from", {"anywhere", "whole"})}, [name, subset](const Json& options) {
            return MakeShared<JsonScorer>(name, subset, options);
          }};
}

}  // namespace

BuiltInScorer JsonEqualScorerKind() { return Kind("json_equal", false); }

BuiltInScorer JsonSubsetScorerKind() { return Kind("json_subset", true); }

}  // namespace bi_test
