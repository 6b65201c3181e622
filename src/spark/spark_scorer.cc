#include "spark/spark_scorer.h"

#include <stdexcept>

#include "spark/answer_rules.h"
#include "spark/failure_label.h"

namespace bi_test::spark {
namespace {

class SparkScorer final : public Scorer {
 public:
  [[nodiscard]] std::string_view name() const override { return "spark"; }
  [[nodiscard]] std::string_view version() const override { return "1"; }

  [[nodiscard]] std::optional<std::string> ExtractAnswer(std::string_view response,
                                                         const ScorerItem& item) const override {
    if (!HasRule(item.family)) return exact_->ExtractAnswer(response, item);
    return ReadByRule(item.family, response).answer;
  }

  [[nodiscard]] std::string ClassifyFailureMode(std::string_view response,
                                                std::optional<std::int64_t> completion_tokens,
                                                const std::optional<std::string>& extracted,
                                                const ScorerItem& item) const override {
    if (!HasRule(item.family)) {
      return exact_->ClassifyFailureMode(response, completion_tokens, extracted, item);
    }
    LabelInput input;
    input.text = response;
    input.completion_tokens = completion_tokens;
    input.fault = ReadByRule(item.family, response).fault;
    return std::string(FailureLabel(input));
  }

  [[nodiscard]] double Score(const std::optional<std::string>& extracted, std::string_view response,
                             const Json& expected_answer, const ScorerItem& item) const override {
    if (!HasRule(item.family)) return exact_->Score(extracted, response, expected_answer, item);
    if (const Status status = CheckGold(item.family, expected_answer); !status.ok()) {
      throw std::invalid_argument(status.error().message);  // ScoreReply makes it scorer_error.
    }
    return ScoreByRule(item.family, response, expected_answer);
  }

  [[nodiscard]] bool WasScored(std::string_view failure_mode) const override {
    return IsScoredLabel(failure_mode);
  }

 private:
  // Without options it cannot fail.
  std::shared_ptr<const Scorer> exact_ = MakeScorer("exact").value();
};

}  // namespace

std::unique_ptr<const Scorer> MakeSparkScorer() { return std::make_unique<SparkScorer>(); }

ScorerRegistry SweepScorers() {
  ScorerRegistry scorers = RegisteredScorers();
  // A scorer of the program's own that took the name stays.
  static_cast<void>(scorers.Add(MakeSparkScorer()));
  return scorers;
}

}  // namespace bi_test::spark
