#include <algorithm>

#include "base/ascii.h"
#include "base/trim.h"
#include "scorers/built_in_scorers.h"
#include "scorers/text_scorer.h"

namespace bi_test {
namespace {

bool IsWordCharacter(char c) {
  return IsLetter(c) || IsDigit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool SameText(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return Lower(x) == Lower(y); });
}

/// Marks around a label: `**(B)**`, `[B]`, `B.`
std::string_view WithoutMarks(std::string_view text) {
  constexpr std::string_view kBefore = "*_`\"'([{";
  constexpr std::string_view kBehind = "*_`\"')]}.:,;!";
  text = Trim(text);
  while (!text.empty() && kBefore.find(text.front()) != kBefore.npos) text.remove_prefix(1);
  while (!text.empty() && kBehind.find(text.back()) != kBehind.npos) text.remove_suffix(1);
  return Trim(text);
}

class ChoiceScorer final : public TextScorer {
 public:
  explicit ChoiceScorer(const Json& options) : TextScorer("choice", "1") {
    for (const Json& label : *options.Find("choices")->if_array()) {
      labels_.push_back(*label.if_string());
    }
  }

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    if (auto label = LabelOf(WithoutMarks(response))) return label;
    if (auto label = Announced(response)) return label;
    if (auto label = AtTheBeginning(response)) return label;
    return OnlyOneNamed(response);
  }
  [[nodiscard]] double Score(const std::optional<std::string>& extracted, std::string_view,
                             const Json& expected_answer, const ScorerItem&) const override {
    const std::optional<std::string> wanted = LabelOf(WithoutMarks(ExpectedText(expected_answer)));
    return extracted && wanted && *extracted == *wanted ? 1.0 : 0.0;
  }

 private:
  std::optional<std::string> LabelOf(std::string_view text) const {
    const auto it = std::ranges::find_if(
        labels_, [&](const std::string& label) { return SameText(label, text); });
    if (it == labels_.end()) return std::nullopt;
    return *it;
  }

  /// The longest label that stands at `at` and does not go on as a word.
  const std::string* LabelAt(std::string_view text, std::size_t at, bool ignore_case) const {
    const std::string* best = nullptr;
    for (const std::string& label : labels_) {
      const std::string_view here = text.substr(at, label.size());
      if (ignore_case ? !SameText(here, label) : here != label) continue;
      const std::size_t end = at + label.size();
      if (end < text.size() && IsWordCharacter(text[end]) && IsWordCharacter(label.back()))
        continue;
      if (best == nullptr || label.size() > best->size()) best = &label;
    }
    return best;
  }

  /// Behind the last `answer` or `answer is`: `The answer is (B).`
  std::optional<std::string> Announced(std::string_view text) const {
    constexpr std::string_view kWord = "answer";
    const std::string lower = LowerText(text);
    for (std::size_t at = lower.rfind(kWord); at != lower.npos;
         at = at == 0 ? lower.npos : lower.rfind(kWord, at - 1)) {
      std::size_t next = at + kWord.size();
      const auto skip = [&](std::string_view characters) {
        while (next < lower.size() && characters.find(lower[next]) != characters.npos) ++next;
      };
      skip(" \t\r\n*_:=");
      if (std::string_view(lower).substr(next).starts_with("is") && next + 2 < lower.size() &&
          !IsWordCharacter(lower[next + 2])) {
        next += 2;
      }
      skip(" \t\r\n*_:=\"'`([{");
      if (next == at + kWord.size()) continue;  // `answers`
      if (const std::string* label = LabelAt(text, next, /*ignore_case=*/true)) return *label;
    }
    return std::nullopt;
  }

  /// `B) because ...`, `(B) ...`, `B: ...`
  std::optional<std::string> AtTheBeginning(std::string_view text) const {
    text = Trim(text);
    const bool open = text.starts_with("(") || text.starts_with("[");
    const std::string* label = LabelAt(text, open ? 1 : 0, /*ignore_case=*/false);
    if (label == nullptr) return std::nullopt;
    const std::size_t end = label->size() + (open ? 1 : 0);
    constexpr std::string_view kBehind = ").:]";
    if (end >= text.size() || kBehind.find(text[end]) == kBehind.npos) return std::nullopt;
    return *label;
  }

  /// The label that occurs as a word of its own, when no other one does.
  std::optional<std::string> OnlyOneNamed(std::string_view text) const {
    const std::string* only = nullptr;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (at > 0 && IsWordCharacter(text[at - 1])) continue;
      const std::string* label = LabelAt(text, at, /*ignore_case=*/false);
      if (label == nullptr || IsEnglishWord(text, at, *label)) continue;
      if (only != nullptr && only != label) return std::nullopt;
      only = label;
    }
    if (only == nullptr) return std::nullopt;
    return *only;
  }

  /// `A dog`, `I think`: a letter that is a word before another one is no label.
  static bool IsEnglishWord(std::string_view text, std::size_t at, const std::string& label) {
    if (label != "A" && label != "I") return false;
    return at + 2 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '\'') &&
           IsLower(text[at + 2]);
  }

  std::vector<std::string> labels_;
};

}  // namespace

BuiltInScorer ChoiceScorerKind() {
  ScorerOption choices;
  choices.name = "choices";
  choices.kind = ScorerOption::Kind::kTexts;
  choices.fallback = Json::Array{Json("A"), Json("B"), Json("C"), Json("D")};
  return {"choice", {choices}, [](const Json& options) -> Result<std::shared_ptr<const Scorer>> {
            const Json::Array& labels = *options.Find("choices")->if_array();
            for (std::size_t i = 0; i < labels.size(); ++i) {
              for (std::size_t j = 0; j < i; ++j) {
                if (!SameText(*labels[i].if_string(), *labels[j].if_string())) continue;
                return Error{ErrorCode::kUsage,
                             "found " + CompactText(labels[j]) + " and " + CompactText(labels[i]) +
                                 ", allowed: labels that differ in more than upper and lower case",
                             "choices"};
              }
            }
            return MakeShared<ChoiceScorer>(options);
          }};
}

}  // namespace bi_test
