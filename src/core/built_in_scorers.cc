#include "core/built_in_scorers.h"

#include <algorithm>

#include "core/trim.h"

namespace bi_test {
namespace {

// Not std::tolower: the result must not depend on the locale.
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string LabelOf(std::string_view response, std::optional<std::int64_t> completion_tokens) {
  if (!Trim(response).empty()) return "ok";
  return completion_tokens == 0 ? "premature_eos" : "empty";
}

class ExactScorer final : public Scorer {
 public:
  [[nodiscard]] std::string_view name() const override { return "exact"; }
  [[nodiscard]] std::string_view version() const override { return "1"; }

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    return std::string(response);
  }
  [[nodiscard]] std::string ClassifyFailureMode(std::string_view response,
                                                std::optional<std::int64_t> completion_tokens,
                                                const std::optional<std::string>&,
                                                const ScorerItem&) const override {
    return LabelOf(response, completion_tokens);
  }
  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view response,
                             const Json& expected_answer, const ScorerItem&) const override {
    const std::string_view text = Trim(response);
    return !text.empty() && text == Trim(ExpectedText(expected_answer)) ? 1.0 : 0.0;
  }
};

class NeedleScorer final : public Scorer {
 public:
  [[nodiscard]] std::string_view name() const override { return "needle"; }
  [[nodiscard]] std::string_view version() const override { return "1"; }

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem&) const override {
    return std::string(response);
  }
  [[nodiscard]] std::string ClassifyFailureMode(std::string_view response,
                                                std::optional<std::int64_t> completion_tokens,
                                                const std::optional<std::string>&,
                                                const ScorerItem&) const override {
    return LabelOf(response, completion_tokens);
  }
  [[nodiscard]] double Score(const std::optional<std::string>&, std::string_view response,
                             const Json& expected_answer, const ScorerItem&) const override {
    const std::string expected = ExpectedText(expected_answer);
    const std::string_view needle = Trim(expected);
    const auto same_letter = [](char a, char b) { return Lower(a) == Lower(b); };
    const auto hit =
        std::search(response.begin(), response.end(), needle.begin(), needle.end(), same_letter);
    return needle.empty() || hit != response.end() ? 1.0 : 0.0;
  }
};

}  // namespace

std::unique_ptr<const Scorer> MakeExactScorer() { return std::make_unique<ExactScorer>(); }

std::unique_ptr<const Scorer> MakeNeedleScorer() { return std::make_unique<NeedleScorer>(); }

std::string ExpectedText(const Json& expected_answer) {
  if (expected_answer.is_null()) return {};
  if (const std::string* text = expected_answer.if_string()) return *text;
  return CompactText(expected_answer);
}

}  // namespace bi_test
