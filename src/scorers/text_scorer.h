#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bi_test/scorer.h"

namespace bi_test {

/// An expected answer as text: a string as it is, null as empty, all else as compact JSON.
[[nodiscard]] std::string ExpectedText(const Json& expected_answer);

/// What the built-in scorers have in common: a name, and the label of a completion that is not
/// blank (`ok`) or is (`empty`; `premature_eos` when the server counts no token).
class TextScorer : public Scorer {
 public:
  TextScorer(std::string_view name, std::string_view version) : name_(name), version_(version) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view version() const override { return version_; }
  /// The whole completion.
  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem& item) const override;
  [[nodiscard]] std::string ClassifyFailureMode(std::string_view response,
                                                std::optional<std::int64_t> completion_tokens,
                                                const std::optional<std::string>& extracted,
                                                const ScorerItem& item) const override;

 private:
  std::string_view name_;  // Literals.
  std::string_view version_;
};

/// For factories: `MakeShared<NumberScorer>(options)`.
template <typename T, typename... Arguments>
[[nodiscard]] Result<std::shared_ptr<const Scorer>> MakeShared(Arguments&&... arguments) {
  return std::shared_ptr<const Scorer>(std::make_shared<T>(std::forward<Arguments>(arguments)...));
}

}  // namespace bi_test
