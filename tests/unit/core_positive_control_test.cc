// Every judgement proves on itself that it would have seen a change.
#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"
#include "unit/judge_scenarios.h"

namespace bi_test {
namespace {

using testing::CleanRecord;

TEST(JudgeTest, EveryJudgementPlantsAChangeInEveryPass) {
  const Judgement judgement = Judge(CleanRecord({8, 4, 3}));
  EXPECT_TRUE(judgement.positive_control_ok);
  EXPECT_EQ(judgement.positive_controls, 3);
}

TEST(JudgeTest, PlantingStaysCheapWithManyPasses) {
  const Judgement judgement = Judge(CleanRecord({5, 4, 50}));
  EXPECT_TRUE(judgement.positive_control_ok);
  EXPECT_LE(judgement.positive_controls, 16);
}

}  // namespace
}  // namespace bi_test
