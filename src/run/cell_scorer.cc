#include "run/cell_scorer.h"

#include <string>
#include <utility>

#include "base/try.h"
#include "run/command_scorer.h"
#include "scorers/built_in_scorers.h"
#include "scorers/scorer_registry.h"

namespace bi_test::run {
namespace {

class OwnScorer final : public AnswerScorer {
 public:
  explicit OwnScorer(std::shared_ptr<const Scorer> scorer) : scorer_(std::move(scorer)) {}

  [[nodiscard]] ScoredReply Score(const ScoringTask& task) override {
    return ScoreReply(*scorer_, task.response, task.completion_tokens, task.expected_answer,
                      task.item);
  }
  [[nodiscard]] bool after_the_pass() const override { return false; }

 private:
  const std::shared_ptr<const Scorer> scorer_;
};

Result<std::shared_ptr<const Scorer>> ScorerOf(const Sweep& sweep) {
  const ScorerRegistry scorers = RegisteredScorers();
  if (scorers.OptionsOf(sweep.scorer) == nullptr) {
    return Error{ErrorCode::kUsage, "there is no scorer \"" + sweep.scorer + "\"", sweep.file};
  }
  return scorers.Make(sweep.scorer, sweep.scorer_options);
}

}  // namespace

Result<std::unique_ptr<AnswerScorer>> MakeAnswerScorer(const Sweep& sweep, const RunClock& clock) {
  if (sweep.scorer == kCommandScorer) return MakeCommandScorer(sweep.scorer_command, clock);
  BI_TRY_SET(std::shared_ptr<const Scorer> scorer, ScorerOf(sweep));
  return std::unique_ptr<AnswerScorer>(std::make_unique<OwnScorer>(std::move(scorer)));
}

Result<Json> ScorerIdentity(const Sweep& sweep) {
  if (sweep.scorer == kCommandScorer) return CommandIdentity(sweep.scorer_command);
  BI_TRY_SET(const std::shared_ptr<const Scorer> scorer, ScorerOf(sweep));
  Json out;
  out["name"] = sweep.scorer;  // as it is registered, whatever the class calls itself
  out["version"] = scorer->version();
  out["options"] = RegisteredScorers().Complete(sweep.scorer, sweep.scorer_options);
  return out;
}

}  // namespace bi_test::run
