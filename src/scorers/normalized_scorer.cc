#include "base/ascii.h"
#include "base/trim.h"
#include "base/utf8.h"
#include "scorers/built_in_scorers.h"
#include "scorers/scorer_options.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

bool IsPunctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

bool IsArticle(std::string_view word) {
  const std::string lower = LowerText(word);
  return lower == "a" || lower == "an" || lower == "the";
}

class NormalizedScorer final : public TextScorer {
 public:
  explicit NormalizedScorer(const Json& options)
      : TextScorer("normalized", "1"),
        ignore_case_(FlagOption(options, "ignore_case")),
        ignore_punctuation_(FlagOption(options, "ignore_punctuation")),
        ignore_articles_(FlagOption(options, "ignore_articles")) {}

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    std::string text = Normalize(response);
    if (text.empty()) return std::nullopt;
    return text;
  }
  [[nodiscard]] double Score(const std::optional<std::string>& extracted, std::string_view,
                             const Json& expected_answer, const ScorerItem&) const override {
    return extracted && *extracted == Normalize(ExpectedText(expected_answer)) ? 1.0 : 0.0;
  }

 private:
  /// Words, each followed by one space but for the last. White space of any script parts words.
  std::string Normalize(std::string_view text) const {
    std::string out;
    std::string word;
    const auto end_word = [&] {
      if (!word.empty() && !(ignore_articles_ && IsArticle(word))) {
        if (!out.empty()) out += ' ';
        out += word;
      }
      word.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = NextUtf8(text, at).length;
      const std::string_view character = text.substr(at, length);
      at += length;
      if (Trim(character).empty()) {
        end_word();
      } else if (length > 1) {
        word += character;
      } else if (!(ignore_punctuation_ && IsPunctuation(character.front()))) {
        word += ignore_case_ ? Lower(character.front()) : character.front();
      }
    }
    end_word();
    return out;
  }

  const bool ignore_case_;
  const bool ignore_punctuation_;
  const bool ignore_articles_;
};

}  // namespace

BuiltInScorer NormalizedScorerKind() {
  return {
      "normalized",
      {Flag("ignore_case", true), Flag("ignore_punctuation", true), Flag("ignore_articles", false)},
      [](const Json& options) { return MakeShared<NormalizedScorer>(options); }};
}

}  // namespace bi_test
