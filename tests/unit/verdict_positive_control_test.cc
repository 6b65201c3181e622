// Every judgement proves on itself that it would have seen a change.
#include <gmock/gmock.h>

#include "bi_test/judge.h"
#include "support/records.h"
#include "unit/judge_scenarios.h"
#include "verdict/examine.h"
#include "verdict/positive_control.h"

namespace bi_test {
namespace {

using testing::CleanRecord;

TEST(JudgeTest, EveryJudgementPlantsAChangeInEveryPass) {
  const Judgement judgement = Judge(CleanRecord({8, 4, 3}));
  EXPECT_TRUE(judgement.positive_control_ok);
  EXPECT_EQ(judgement.positive_controls, 3);
}

TEST(JudgeTest, OfManyIdsASampleIsPlanted) {
  for (const int n_ids : {65, 100, 200}) {
    EXPECT_TRUE(Judge(CleanRecord({n_ids, 4, 2})).positive_control_ok) << n_ids;
  }
}

TEST(JudgeTest, AnIdThatDiffersAnywhereIsNoPlaceToPlant) {
  // Only w07 agrees everywhere: the control has to find it, and finds the change planted there.
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    if (trial.test_id == "w07") continue;
    if (trial.arm == Arm::kC && trial.pass == 1) trial.score = 0.0;
  }
  Judgement judgement = Judge(record);
  EXPECT_TRUE(judgement.positive_control_ok);
  EXPECT_EQ(judgement.positive_controls, 2);
  for (Trial& trial : record.trials) {
    if (trial.arm == Arm::kA && trial.pass == 1 && trial.test_id == "w07") trial.score = 0.0;
  }
  judgement = Judge(record);
  EXPECT_FALSE(judgement.positive_control_ok) << "nowhere left to plant";
  EXPECT_EQ(judgement.positive_controls, 0);
}

TEST(PositiveControlTest, AChangeThatIsNotFoundAloneIsNotFound) {
  // Told that nothing differs, the control plants beside a divergence: what it then sees is not
  // what it planted.
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    if (trial.arm == Arm::kC && trial.test_id == "w05") trial.score = 0.0;
  }
  const Policy policy;
  const JudgeInput input = PrepareInput(record, policy);
  const ControlResult misled = RunPositiveControl(input, policy, Findings(policy));
  EXPECT_EQ(misled.n_planted, 2);
  EXPECT_EQ(misled.n_found, 0);
  const ControlResult told = RunPositiveControl(input, policy, Examine(input, policy));
  EXPECT_EQ(told.n_planted, 2);
  EXPECT_EQ(told.n_found, 2);
}

TEST(JudgeTest, ZeroScoresArePlantedWithAnother) {
  Record record = CleanRecord();
  for (Trial& trial : record.trials) {
    trial.score = 0.0;
    trial.passed = false;
  }
  const Judgement judgement = Judge(record);
  EXPECT_EQ(judgement.verdict, Verdict::kGreen);
  EXPECT_TRUE(judgement.positive_control_ok);
}

TEST(JudgeTest, PlantingStaysCheapWithManyPasses) {
  const Judgement judgement = Judge(CleanRecord({5, 4, 50}));
  EXPECT_TRUE(judgement.positive_control_ok);
  EXPECT_LE(judgement.positive_controls, 16);
}

}  // namespace
}  // namespace bi_test
