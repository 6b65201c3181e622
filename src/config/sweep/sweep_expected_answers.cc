#include <cstddef>
#include <memory>
#include <string>

#include "bi_test/scorer.h"
#include "config/sweep/sweep_reader.h"

namespace bi_test::config {

void CheckExpectedAnswers(const SweepReader& reader, const YamlNode* workset) {
  constexpr std::size_t kMostShown = 20;
  if (workset == nullptr || FindScorerOptions(reader.sweep.scorer) == nullptr) return;
  const auto scorer = MakeScorer(reader.sweep.scorer, reader.sweep.scorer_options);
  if (!scorer.ok()) return;
  std::size_t shown = 0;
  const std::vector<WorksetRow>& rows = reader.sweep.workset.rows;
  for (std::size_t i = 0; i < rows.size() && shown < kMostShown; ++i) {
    const Status status = (*scorer)->CheckExpectedAnswer(rows[i].family, rows[i].expected_answer);
    if (status.ok()) continue;
    ++shown;
    reader.problems.Add(workset->line, "workset",
                        "row " + std::to_string(i) + ": " + status.error().Text());
  }
}

}  // namespace bi_test::config
