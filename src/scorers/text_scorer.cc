#include "scorers/text_scorer.h"

#include "base/trim.h"

namespace bi_test {

std::string ExpectedText(const Json& expected_answer) {
  if (expected_answer.is_null()) return {};
  if (const std::string* text = expected_answer.if_string()) return *text;
  return CompactText(expected_answer);
}

std::optional<std::string> TextScorer::ExtractAnswer(std::string_view response,
                                                     const ScorerItem&) const {
  return std::string(response);
}

std::string TextScorer::ClassifyFailureMode(std::string_view response,
                                            std::optional<std::int64_t> completion_tokens,
                                            const std::optional<std::string>&,
                                            const ScorerItem&) const {
  if (!Trim(response).empty()) return "ok";
  return completion_tokens == 0 ? "premature_eos" : "empty";
}

}  // namespace bi_test
