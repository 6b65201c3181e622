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

bool FlagOption(const Json& options, std::string_view name) {
  return *options.Find(name)->if_bool();
}

double NumberOption(const Json& options, std::string_view name) {
  const Json& value = *options.Find(name);
  const double* real = value.if_double();
  return real != nullptr ? *real : static_cast<double>(*value.if_int64());
}

std::string TextOption(const Json& options, std::string_view name) {
  return *options.Find(name)->if_string();
}

ScorerOption Flag(std::string name, bool fallback) {
  ScorerOption option;
  option.name = std::move(name);
  option.fallback = fallback;
  return option;
}

ScorerOption Word(std::string name, std::vector<std::string> words) {
  ScorerOption option;
  option.name = std::move(name);
  option.kind = ScorerOption::Kind::kWord;
  option.fallback = words.front();
  option.words = std::move(words);
  return option;
}

}  // namespace bi_test
