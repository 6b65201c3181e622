#include <stdexcept>

#include "base/trim.h"
#include "scorers/built_in_scorers.h"
#include "scorers/regex.h"
#include "scorers/scorer_options.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

class RegexScorer final : public TextScorer {
 public:
  explicit RegexScorer(Regex regex) : TextScorer("regex", "1"), regex_(std::move(regex)) {}

  /// A row without an expected answer asks whether the pattern is found at all.
  [[nodiscard]] bool needs_expected_answer() const override { return false; }
  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    const Result<std::optional<Regex::Match>> match = regex_.Find(response);
    if (!match.ok()) throw std::runtime_error(match.error().Text());  // Becomes a scorer_error.
    if (!*match) return std::nullopt;
    return std::string((*match)->group.value_or((*match)->whole));
  }
  [[nodiscard]] double Score(const std::optional<std::string>& extracted, std::string_view,
                             const Json& expected_answer, const ScorerItem&) const override {
    if (!extracted) return 0.0;
    const std::string expected = ExpectedText(expected_answer);
    const std::string_view wanted = Trim(expected);
    return wanted.empty() || Trim(*extracted) == wanted ? 1.0 : 0.0;
  }

 private:
  const Regex regex_;
};

}  // namespace

BuiltInScorer RegexScorerKind() {
  return {"regex",
          {Text("pattern"), Flag("ignore_case", false)},
          [](const Json& options) -> Result<std::shared_ptr<const Scorer>> {
            Result<Regex> regex =
                Regex::Compile(TextOption(options, "pattern"), FlagOption(options, "ignore_case"));
            if (!regex.ok()) {
              return Error{ErrorCode::kUsage,
                           regex.error().message +
                               ", allowed: a regular expression of RE2 "
                               "(docs/scorers.md says which)",
                           "pattern"};
            }
            return MakeShared<RegexScorer>(*std::move(regex));
          }};
}

}  // namespace bi_test
