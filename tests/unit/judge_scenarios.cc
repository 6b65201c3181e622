#include "unit/judge_scenarios.h"

#include <gmock/gmock.h>

namespace bi_test::testing {

using ::testing::ElementsAreArray;

void CheckAll(const std::vector<Scenario>& scenarios) {
  for (const Scenario& one : scenarios) {
    Record record = CleanRecord(one.shape);
    Policy policy;
    one.change(record, policy);
    const Judgement judgement = Judge(record, policy);
    EXPECT_EQ(judgement.verdict, one.verdict) << one.name << "\n" << judgement;
    EXPECT_EQ(judgement.divergence_class, one.divergence_class) << one.name;
    EXPECT_EQ(judgement.anomaly, one.anomaly) << one.name;
    EXPECT_THAT(judgement.reason_codes, ElementsAreArray(one.codes)) << one.name;
    EXPECT_EQ(judgement.mismatch.has_value(), one.verdict == Verdict::kRed) << one.name;
  }
}

void Together(Record& record) {
  for (Trial& trial : record.trials) {
    if (trial.arm != Arm::kC) continue;
    trial.dispatch_ts = 1000.0 + trial.pass;
    trial.complete_ts = 1000.5 + trial.pass;
  }
}

void SetLabel(Record& record, std::string_view id, const char* label) {
  for (Trial& trial : record.trials) {
    if (trial.test_id != id) continue;
    trial.failure_mode = label;
    trial.score = 0.0;
    trial.passed = false;
  }
}

void DriftTokens(Trial& trial) {
  trial.content = "the same answer in other words";
  trial.token_ids = {{7, 8, 9}};
}

void RemoveArm(Record& record, Arm arm) {
  RemoveTrials(record, [arm](const Trial& t) { return t.arm == arm; });
}

}  // namespace bi_test::testing
