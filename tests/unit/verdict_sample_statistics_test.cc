// The sample statistics of a judgement.
#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"
#include "unit/judge_scenarios.h"

namespace bi_test {
namespace {

using testing::At;
using testing::CleanRecord;
using ::testing::Optional;

TEST(JudgeTest, StatisticsCountWhatWasCompared) {
  const SampleStatistics clean = Judge(CleanRecord({30, 4, 2})).statistics;
  EXPECT_EQ(clean.n_hot_trials, 30);
  EXPECT_EQ(clean.n_effective_prompts, 30);
  EXPECT_EQ(clean.n_comparisons, 60);
  EXPECT_EQ(clean.n_planned_comparisons, 60);
  EXPECT_THAT(clean.rule_of_three, Optional(0.1));
  EXPECT_THAT(clean.clopper_pearson_upper_95, Optional(::testing::DoubleNear(0.0950, 5e-5)));
  EXPECT_EQ(clean.comparisons_for_95, 299);

  Record record = CleanRecord({30, 4, 2});
  At(record, Arm::kC, 1, "w01").score = 0.0;
  const SampleStatistics red = Judge(record).statistics;
  EXPECT_EQ(red.rule_of_three, std::nullopt) << "case 153";
  EXPECT_EQ(red.clopper_pearson_upper_95, std::nullopt);
  EXPECT_EQ(red.n_divergent_prompts, 1);
  EXPECT_EQ(red.n_compared_prompts, 30);
  EXPECT_TRUE(red.exact_upper_95);
}

TEST(JudgeTest, OnlyEffectivePassesAndIdsInCompanyCount) {
  Record record = CleanRecord({8, 4, 3});
  record.evidence[1].counter_reset = true;
  const SampleStatistics one_lost = Judge(record).statistics;
  EXPECT_EQ(one_lost.n_comparisons, 16);
  EXPECT_EQ(one_lost.n_planned_comparisons, 24);
  EXPECT_EQ(one_lost.n_hot_trials, 8);

  // The last of six is alone in its wave.
  const SampleStatistics lonely = Judge(CleanRecord({6, 5, 2})).statistics;
  EXPECT_EQ(lonely.n_hot_trials, 5);
  EXPECT_EQ(lonely.n_effective_prompts, 5);
  EXPECT_EQ(lonely.n_compared_prompts, 6);
}

TEST(JudgeTest, FailedRequestsAreNoComparisons) {
  Record record = CleanRecord({8, 4, 2});
  At(record, Arm::kC, 1, "w01").failure_mode = "http_5xx";
  const SampleStatistics statistics = Judge(record).statistics;
  EXPECT_EQ(statistics.n_comparisons, 15);
  EXPECT_EQ(statistics.n_divergent_prompts, 0);
  EXPECT_EQ(statistics.n_compared_prompts, 8);
}

}  // namespace
}  // namespace bi_test
